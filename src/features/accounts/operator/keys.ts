import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { operatorActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { createApiKey } from '../../auth/api-keys/api-keys.ts';
import { CreateApiKey } from '../../auth/api-keys/schema.ts';
import { checkInput } from '../../users/check-input.ts';
import { revokeApiKeyById } from '../../users/queries.ts';
import { findKeys, type ListedKey, selectKeys } from './queries.ts';
import { findUser } from './users.ts';

export type { ListedKey } from './queries.ts';

export async function createKey(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  input: { user: string } & z.input<typeof CreateApiKey>,
  actor: Actor = operatorActor(),
) {
  const key = checkInput(CreateApiKey, input);
  const user = await findUser(app, input.user);
  return createApiKey(app, user.id, key, actor);
}

/** Active keys of one user or of all users. */
export const listKeys = ({ db }: Pick<App, 'db'>, { userId, limit }: { userId: string | null; limit: number }) =>
  selectKeys(db, userId, limit);

/** Finds the key by id, by prefix, or by the whole key, as someone who found a leaked one has it. */
export async function revokeKey(app: Pick<App, 'db' | 'clock' | 'newId'>, wanted: string): Promise<ListedKey> {
  const [key, another] = await findKeys(app.db, wanted.trim().split('.')[0] ?? '');
  if (!key) throw new Problem('api_key_not_found');
  if (another) throw new Problem('api_key_ambiguous');
  await app.db.transaction().execute(async (tx) => {
    const { id, userId, name, keyPrefix } = key;
    if (!(await revokeApiKeyById(tx, userId, id, app.clock.now()))) throw new Problem('api_key_not_found');
    const details = { keyId: id, name, keyPrefix };
    await recordAudit(app, tx, { userId, event: 'api_key_revoked', actor: operatorActor(), details });
  });
  return key;
}
