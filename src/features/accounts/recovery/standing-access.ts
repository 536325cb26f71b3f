import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { memberActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { endAllKeys, listApiKeys } from '../../auth/api-keys/api-keys.ts';
import { endAllPasskeys } from '../../auth/passkeys/end-passkeys.ts';
import { selectPasskeys } from '../../auth/passkeys/queries.ts';
import { endAllWebhooks } from '../workspace/membership-webhooks.ts';
import {
  failOpenUploads,
  lockManagedUser,
  selectManagedUsers,
  selectOwnWebhooks,
  selectWorkspaceOwner,
} from '../workspace/queries.ts';
import { endMembership } from '../workspace/workspace.ts';
import { endManagedAccess } from './managed-access.ts';
import { type ManagedAccess, selectManagedAccess } from './managed-access-queries.ts';

/**
 * Access to an account, or to the accounts it manages, that works without the password and survives a password
 * change. A member of the workspace uses its plan, and nothing here ends that: it may be a client whose posts are
 * due.
 */
export interface StandingAccess {
  kind: 'passkey' | 'api_key' | 'application' | 'webhook' | 'workspace' | 'member' | ManagedAccess['kind'];
  /** The count, if one entry represents all of a kind. */
  name: string;
  /** Null if unknown. */
  createdAt: Date | null;
  /** Null if never used. Undefined if unknown. */
  lastUsedAt?: Date | null;
}

export async function listStandingAccess(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
): Promise<StandingAccess[]> {
  const now = clock.now();
  const passkeys = await selectPasskeys(db, userId);
  const keys = await listApiKeys({ db }, userId);
  const webhooks = await selectOwnWebhooks(db, userId);
  const owner = await selectWorkspaceOwner(db, userId);
  const managed = await selectManagedAccess(db, userId, now);
  const members = await selectManagedUsers(db, userId, now);
  return [
    ...passkeys.map((passkey) => ({ ...passkey, kind: 'passkey' as const })),
    ...keys
      .filter(({ expiresAt }) => !expiresAt || expiresAt > now)
      .map((key) => ({ ...key, kind: key.application === null ? ('api_key' as const) : ('application' as const) })),
    ...(owner ? [{ kind: 'workspace' as const, name: `${owner.name} (${owner.email})`, createdAt: null }] : []),
    ...webhooks.map(({ name, url, ...times }) => ({
      ...times,
      kind: 'webhook' as const,
      name: `${name} at ${new URL(url).host}`,
    })),
    ...managed.map(({ kind, count, createdAt, lastUsedAt }) => ({
      ...{ kind, createdAt, name: `${count}` },
      ...(kind !== 'managed_links' && { lastUsedAt }),
    })),
    ...members.map(({ name, email }) => ({ kind: 'member' as const, name: `${name} (${email})`, createdAt: null })),
  ];
}

/**
 * Ends all of it except members, including everything issued to applications after an approval. Must run under
 * `lockWithAllManaged`. Returns the counts for the audit log.
 */
export async function endStandingAccess(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config'>,
  tx: Db,
  userId: string,
  actor: Actor,
): Promise<Record<string, number>> {
  const passkeys = await endAllPasskeys(app, tx, userId, actor);
  const apiKeys = await endAllKeys(app, tx, userId, actor);
  const webhooks = await endAllWebhooks(app, tx, userId, actor);
  const membership = await lockManagedUser(tx, null, userId);
  if (membership) await endMembership(app, tx, membership, { owner: memberActor(userId), member: actor });
  const managed = await endManagedAccess(app, tx, userId, actor);
  await failOpenUploads(tx, userId, { withManaged: true });
  return { passkeys, apiKeys, webhooks, memberships: membership ? 1 : 0, ...managed };
}
