import { randomBytes } from 'node:crypto';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { hashKey } from '../http/auth.ts';
import { plans } from '../lib/plans.ts';
import { plainName } from './plain-name.ts';
import {
  type ApiKeyRow,
  insertApiKey,
  lockUser,
  type NewApiKey,
  revokeApiKeyById,
  revokeCurrentApiKey,
  selectApiKeys,
  updateApiKeyName,
} from './queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId'>;

const maxDashboardKeys = 10;

/** All active keys, including the current one, so that a user who looks for a leaked key sees every one. */
export const listApiKeys = ({ db }: Pick<App, 'db'>, userId: string) => selectApiKeys(db, userId);

/** Adds a key. `rawKey` is shown only in this answer. */
export function createApiKey(app: Needs, userId: string, { name }: { name?: string | null | undefined }) {
  return app.db.transaction().execute((tx) => addApiKey(app, tx, userId, name));
}

/** The same in the caller's transaction. */
export async function addApiKey(
  app: Needs,
  tx: Db,
  userId: string,
  name?: string | null,
): Promise<ApiKeyRow & { rawKey: string }> {
  await requireApiPlan(tx, userId);
  const { rawKey, ...key } = newKey(app, 'dashboard');
  const row = { ...key, userId, name: plainName(name ?? '') || 'Default' };
  const made = await insertApiKey(tx, row, maxDashboardKeys, app.clock.now());
  if (!made) throw new Problem('api_key_limit');
  return { ...made, rawKey };
}

/** Replaces the user's single current key. The previous one stops working. */
export function replaceCurrentKey(app: Needs, userId: string): Promise<string> {
  return app.db.transaction().execute((tx) => exchangeCurrentKey(app, tx, userId));
}

/** The same in the caller's transaction. */
export async function exchangeCurrentKey(app: Needs, tx: Db, userId: string): Promise<string> {
  await requireApiPlan(tx, userId);
  await revokeCurrentApiKey(tx, userId, app.clock.now());
  const { rawKey, ...key } = newKey(app, 'current');
  await insertApiKey(tx, { ...key, userId, name: 'Current key' }, 1, app.clock.now());
  return rawKey;
}

export async function renameApiKey({ db }: Pick<App, 'db'>, userId: string, keyId: string, input: { name: string }) {
  const name = plainName(input.name);
  if (!name) throw new Problem('api_key_name_required');
  const renamed = await updateApiKeyName(db, userId, keyId.toLowerCase(), name);
  if (!renamed) throw new Problem('api_key_not_found');
  return renamed;
}

/** The row stays as a record. Every process drops the key from its cache at once. */
export async function revokeApiKey({ db, clock }: Pick<App, 'db' | 'clock'>, userId: string, keyId: string) {
  const revoked = await revokeApiKeyById(db, userId, keyId.toLowerCase(), clock.now());
  if (!revoked) throw new Problem('api_key_not_found');
}

async function requireApiPlan(tx: Db, userId: string) {
  const user = await lockUser(tx, userId);
  if (!user) throw new Problem('user_not_found');
  if (!user.apiAccess || !plans[user.plan].features.apiAccess) throw new Problem('plan_without_api');
}

/** Keys have the formats of contract section 5, rule 3. */
function newKey({ newId, clock }: Needs, kind: NewApiKey['kind']) {
  const mark = kind === 'dashboard' ? `_${randomBytes(4).toString('hex')}` : '';
  const keyPrefix = `sk_${clock.now().getTime().toString(36)}${mark}`;
  const rawKey = `${keyPrefix}.${randomBytes(26).toString('hex')}`;
  return { id: newId(), kind, keyPrefix, keyHash: hashKey(rawKey), rawKey };
}
