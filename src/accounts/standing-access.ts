import type { App } from '../app.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Db } from '../db/database.ts';
import { endAllKeys, listApiKeys } from './api-keys.ts';
import { deletePasskeys, selectPasskeys } from './passkeys-queries.ts';

/** Something that opens an account without its password, and that a new password does not end. */
export interface StandingAccess {
  kind: 'passkey' | 'api_key' | 'application';
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export async function listStandingAccess(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
): Promise<StandingAccess[]> {
  const [passkeys, keys] = await Promise.all([selectPasskeys(db, userId), listApiKeys({ db }, userId)]);
  const now = clock.now();
  return [
    ...passkeys.map((passkey) => ({ ...passkey, kind: 'passkey' as const })),
    ...keys
      .filter(({ expiresAt }) => !expiresAt || expiresAt > now)
      .map((key) => ({ ...key, kind: key.application === null ? ('api_key' as const) : ('application' as const) })),
  ];
}

/** Ends all of it, with what applications got from an approval. Must run under `lockUser`. Answers how much it was. */
export async function endStandingAccess(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  tx: Db,
  userId: string,
  actor: Actor,
): Promise<{ passkeys: number; apiKeys: number }> {
  const names = await deletePasskeys(tx, userId);
  for (const name of names) await recordAudit(app, tx, { userId, event: 'passkey_removed', actor, details: { name } });
  return { passkeys: names.length, apiKeys: await endAllKeys(app, tx, userId, actor) };
}
