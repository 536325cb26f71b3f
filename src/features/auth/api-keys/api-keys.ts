import { randomBytes } from 'node:crypto';
import type { App } from '../../../app.ts';
import { plans } from '../../../config/plans.ts';
import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { scopeNames } from '../../../foundation/http/scopes.ts';
import { systemActor } from '../../audit/actors.ts';
import type { Actor, AuditEvent } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { plainName } from '../../users/plain-name.ts';
import {
  type ApiKeyRow,
  currentKeyId,
  insertApiKey,
  type KeyRules,
  lockUser,
  type NewApiKey,
  revokeAllKeys,
  revokeApiKeyById,
  revokeCurrentApiKey,
  revokeMembershipKeys,
  selectApiKeys,
  updateApiKeyById,
} from '../../users/queries.ts';
import { hashKey } from '../access/api-key.ts';

type ApiKeysApp = Pick<App, 'db' | 'clock' | 'newId'>;
type Given<T> = { [Name in keyof T]?: T[Name] | null | undefined };

/** A key without rules has all permissions, never expires and works from anywhere. */
const noRules: KeyRules = { scopes: scopeNames, expiresAt: null, allowedAddresses: [] };

/** All active keys, including the current one, so that a user looking for a leaked key sees every one. */
export const listApiKeys = ({ db }: Pick<App, 'db'>, userId: string) => selectApiKeys(db, userId);

export type NewKey = Given<{ name: string; application: string } & KeyRules> &
  Partial<Pick<NewApiKey, 'isForMcp' | 'endsWithMembership'>>;

/** Adds a key. `rawKey` is returned only in this response. */
export function createApiKey(app: ApiKeysApp, userId: string, wanted: NewKey, actor: Actor) {
  return app.db.transaction().execute((tx) => addApiKey(app, tx, userId, wanted, actor));
}

/** Like `createApiKey`, in the caller's transaction. */
export async function addApiKey(
  app: ApiKeysApp,
  tx: Db,
  userId: string,
  { name, application, isForMcp = false, endsWithMembership = null, ...rules }: NewKey = {},
  actor: Actor = systemActor,
): Promise<ApiKeyRow & { rawKey: string }> {
  await requireApiPlan(tx, userId);
  await countNewKey(app, tx, userId);
  const { rawKey, ...key } = newKey(app, 'dashboard');
  const named = { name: plainName(name ?? '') || 'Default', application: application ?? null };
  const row = { ...key, ...rulesOf(app, rules), ...named, isForMcp, endsWithMembership, userId };
  const made = await insertApiKey(tx, row, accountLimits.apiKeys, app.clock.now());
  if (!made) throw new Problem('api_key_limit');
  await recordKey(app, tx, userId, 'api_key_created', made, actor);
  return { ...made, rawKey };
}

/** Replaces the user's single current key in the caller's transaction. The previous one stops working. */
export async function exchangeCurrentKey(app: ApiKeysApp, tx: Db, userId: string, actor: Actor) {
  await requireApiPlan(tx, userId);
  await countNewKey(app, tx, userId);
  const before = await revokeCurrentApiKey(tx, userId, app.clock.now());
  for (const key of before) await recordKey(app, tx, userId, 'api_key_revoked', key, actor);
  const { rawKey, ...key } = newKey(app, 'current');
  const own = { name: 'Current key', application: null, isForMcp: false, endsWithMembership: null };
  const made = await insertApiKey(tx, { ...key, ...noRules, ...own, userId }, 1, app.clock.now());
  await recordKey(app, tx, userId, 'api_key_created', made!, actor);
  return { ...made!, rawKey };
}

/** Missing fields stay unchanged. Null removes a rule. Returns whether the key can do more than before. */
export function changeApiKey(
  app: ApiKeysApp,
  userId: string,
  keyId: string,
  { name: given, ...rules }: { name?: string | undefined } & Given<KeyRules>,
  actor: Actor,
): Promise<{ key: ApiKeyRow; isWider: boolean }> {
  const name = given === undefined ? undefined : plainName(given);
  if (name === '') throw new Problem('api_key_name_required');
  const change = { ...present(rulesOf(app, rules), rules), ...(name !== undefined && { name }) };
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    const id = await currentKeyId(tx, userId, keyId.toLowerCase());
    const before = (await selectApiKeys(tx, userId)).find((key) => key.id === id);
    const isWider = before !== undefined && canDoMore({ ...before, ...change }, before);
    const key = await updateApiKeyById(tx, userId, id, change, isWider ? app.clock.now() : null);
    if (!key) throw new Problem('api_key_not_found');
    await recordKey(app, tx, userId, 'api_key_updated', key, actor);
    return { key, isWider };
  });
}

/** Whether the key can do more, for longer or from more places than before. */
const canDoMore = (key: KeyRules, before: KeyRules): boolean =>
  key.scopes.some((scope) => !before.scopes.includes(scope)) ||
  expiryOf(key) > expiryOf(before) ||
  (before.allowedAddresses.length > 0 &&
    (key.allowedAddresses.length === 0 || key.allowedAddresses.some((one) => !before.allowedAddresses.includes(one))));

const expiryOf = ({ expiresAt }: KeyRules) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** The row stays as a record. Every process immediately drops the key from its cache. */
export function revokeApiKey(app: ApiKeysApp, userId: string, keyId: string, actor: Actor): Promise<ApiKeyRow> {
  const revoke = async (tx: Db) => {
    await lockUser(tx, userId);
    return endApiKey(app, tx, userId, await currentKeyId(tx, userId, keyId.toLowerCase()), actor);
  };
  return inLockTurn(userId, () => app.db.transaction().execute(revoke));
}

/** Like `revokeApiKey`, in the caller's transaction. */
export async function endApiKey(
  app: ApiKeysApp,
  tx: Db,
  userId: string,
  keyId: string,
  actor: Actor,
): Promise<ApiKeyRow> {
  const revoked = await revokeApiKeyById(tx, userId, keyId.toLowerCase(), app.clock.now());
  if (!revoked) throw new Problem('api_key_not_found');
  await recordKey(app, tx, userId, 'api_key_revoked', revoked, actor);
  return revoked;
}

/** Ends keys that were created while the user was in a workspace. */
export async function endMembershipKeys(app: ApiKeysApp, tx: Db, userId: string, actor: Actor) {
  const ended = await revokeMembershipKeys(tx, userId, app.clock.now());
  for (const key of ended) await recordKey(app, tx, userId, 'api_key_revoked', key, actor);
}

/** Ends every key, including those of applications, whose refresh tokens end with them. Returns the number of keys. */
export async function endAllKeys(app: ApiKeysApp, tx: Db, userId: string, actor: Actor): Promise<number> {
  const ended = await revokeAllKeys(tx, userId, app.clock.now());
  for (const key of ended) await recordKey(app, tx, userId, 'api_key_revoked', key, actor);
  return ended.length;
}

/** The audit log's details of a key. */
export const keyDetails = ({ id, name, keyPrefix, scopes, expiresAt, allowedAddresses }: ApiKeyRow) => ({
  keyId: id,
  name,
  keyPrefix,
  scopes: scopes.join(', '),
  expiresAt: expiresAt?.toISOString() ?? null,
  allowedAddresses: allowedAddresses.join(', '),
});

const recordKey = (app: ApiKeysApp, tx: Db, userId: string, event: AuditEvent, key: ApiKeyRow, actor: Actor) =>
  recordAudit(app, tx, { userId, event, actor, details: keyDetails(key) });

function rulesOf({ clock }: Pick<App, 'clock'>, { scopes, expiresAt, allowedAddresses }: Given<KeyRules>): KeyRules {
  if (expiresAt && expiresAt <= clock.now()) throw new Problem('api_key_expiry_past');
  return {
    scopes: scopes ?? noRules.scopes,
    expiresAt: expiresAt ?? noRules.expiresAt,
    allowedAddresses: allowedAddresses ?? noRules.allowedAddresses,
  };
}

/** Only the rules that were given. */
const present = (rules: KeyRules, given: Given<KeyRules>): Partial<KeyRules> => ({
  ...(given.scopes !== undefined && { scopes: rules.scopes }),
  ...(given.expiresAt !== undefined && { expiresAt: rules.expiresAt }),
  ...(given.allowedAddresses !== undefined && { allowedAddresses: rules.allowedAddresses }),
});

/** Each replaces another, whose record stays for a month. Refreshes of applications make keys, too. */
async function countNewKey({ clock }: ApiKeysApp, tx: Db, userId: string) {
  const { endsInSeconds, ...window } = windowAt(`new keys of ${userId}`, 3600, clock);
  const [made = 0] = await addToRateCounters(tx, [{ ...window, used: 1 }]);
  if (made > accountLimits.newApiKeysPerHour)
    throw new Problem('rate_limit_exceeded', { retryAfterSec: endsInSeconds });
}

async function requireApiPlan(tx: Db, userId: string) {
  const user = await lockUser(tx, userId);
  if (!user) throw new Problem('user_not_found');
  if (!user.apiAccess || !plans[user.plan].features.apiAccess) throw new Problem('plan_without_api');
}

/** Keys have the formats of contract.md#auth.key-shapes. */
function newKey({ newId, clock }: ApiKeysApp, kind: NewApiKey['kind']) {
  const mark = kind === 'dashboard' ? `_${randomBytes(4).toString('hex')}` : '';
  const keyPrefix = `sk_${clock.now().getTime().toString(36)}${mark}`;
  const rawKey = `${keyPrefix}.${randomBytes(26).toString('hex')}`;
  return { id: newId(), kind, keyPrefix, keyHash: hashKey(rawKey), rawKey };
}
