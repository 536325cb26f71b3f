import { sql, type Updateable } from 'kysely';
import type { PlanKey } from '../../config/plans.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { DB } from '../../foundation/db/schema.gen.ts';
import type { Scope } from '../../foundation/http/scopes.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  plan: PlanKey;
}

/** The restrictions of a key. */
export interface KeyRules {
  scopes: readonly Scope[];
  /** Null for never. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges. If empty, the key works from anywhere. */
  allowedAddresses: readonly string[];
}

export interface ApiKeyRow extends KeyRules {
  id: string;
  name: string;
  keyPrefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The application that got the key when the user approved it. */
  application: string | null;
  /** The key ends with the membership in a workspace. */
  duringMembership: boolean;
}

/**
 * Inserts the user with the account that better-auth checks passwords against. Returns false if the email is taken.
 */
export async function insertUser(
  db: Db,
  user: UserRow & { planIsDefault: boolean; emailVerified?: boolean; accountId: string; passwordHash: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with made as (
      insert into users (id, email, email_verified, name, plan, plan_is_default, created_at, updated_at)
      values (${user.id}, ${user.email}, ${user.emailVerified ?? false}, ${user.name}, ${user.plan},
        ${user.planIsDefault}, ${now}, ${now})
      on conflict (email) do nothing
      returning id
    )
    insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${user.accountId}, id, id, 'credential', ${user.passwordHash}, ${now}::timestamptz, ${now}::timestamptz from made
    returning 1`.execute(db);
  return rows.length > 0;
}

export async function findUserBy(db: Db, by: { id: string } | { email: string }): Promise<UserRow | null> {
  const users = db.selectFrom('users').select(['id', 'email', 'name', 'plan']).$narrowType<{ plan: PlanKey }>();
  const found = 'id' in by ? users.where('id', '=', by.id) : users.where('email', '=', by.email);
  return (await found.executeTakeFirst()) ?? null;
}

export const updatePlan = (db: Db, userId: string, plan: PlanKey, connections: number | null, now: Date) =>
  db
    .updateTable('users')
    .set({ plan, plan_is_default: false, connection_quantity: connections, updated_at: now })
    .where('id', '=', userId)
    .execute();

/** Settings that an operator can switch for one user. */
export type UserSwitches = Pick<
  Updateable<DB['users']>,
  | 'workspace_enabled'
  | 'workspace_denied'
  | 'api_access'
  | 'mcp_access'
  | 'role'
  | 'is_active'
  | 'held_at'
  | 'hold_expires_at'
  | 'hold_reason'
>;

export const updateSwitches = (db: Db, userId: string, switches: UserSwitches, now: Date) =>
  db
    .updateTable('users')
    .set({ ...switches, updated_at: now })
    .where('id', '=', userId)
    .execute();

/**
 * Blocks other requests that create keys for this user until the transaction ends. Returns the effective plan and
 * whether API access is enabled by the operator, or null if there is no such user.
 */
export async function lockUser(tx: Db, userId: string): Promise<{ plan: PlanKey; apiAccess: boolean } | null> {
  const { rows } = await sql<{ plan: PlanKey; apiAccess: boolean }>`
    select coalesce(owner.plan, users.plan) as plan,
      users.api_access and coalesce(owner.api_access, true) as "apiAccess"
    from users left join users owner on owner.id = users.parent_user_id
    where users.id = ${userId}
    for no key update of users`.execute(tx);
  return rows[0] ?? null;
}

export interface NewApiKey extends KeyRules {
  id: string;
  userId: string;
  kind: 'dashboard' | 'current';
  name: string;
  keyPrefix: string;
  keyHash: Buffer;
  application: string | null;
  /** An agent gets it for the MCP server. */
  isForMcp: boolean;
  /** Null: it does if the user is in a workspace now. */
  endsWithMembership: boolean | null;
}

const keyColumns = [
  'id',
  'name',
  'key_prefix as keyPrefix',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'scopes',
  'expires_at as expiresAt',
  'allowed_addresses as allowedAddresses',
  'application',
  'during_membership as duringMembership',
] as const;
type Scoped = { scopes: Scope[] };

/** The user's current hold. Null if there is none. */
export async function findHold(db: Db, userId: string, now: Date): Promise<{ expiresAt: Date | null } | null> {
  const held = db.selectFrom('users').select('hold_expires_at as expiresAt').where('id', '=', userId);
  const found = await held
    .where('held_at', 'is not', null)
    .where((where) => where.or([where('hold_expires_at', 'is', null), where('hold_expires_at', '>', now)]))
    .executeTakeFirst();
  return found ?? null;
}

/** Null if the user already has `max` keys of this kind. The count is exact only under `lockUser`. */
export async function insertApiKey(tx: Db, key: NewApiKey, max: number, now: Date): Promise<ApiKeyRow | null> {
  const { rows } = await sql<ApiKeyRow>`
    insert into api_keys (id, user_id, kind, name, key_prefix, key_hash, scopes, expires_at, allowed_addresses,
      application, for_mcp, during_membership, created_at)
    select ${key.id}, id, ${key.kind}, ${key.name}, ${key.keyPrefix}, ${key.keyHash}, ${key.scopes}::text[],
      ${key.expiresAt}::timestamptz, ${key.allowedAddresses}::text[], ${key.application}::text,
      ${key.isForMcp}::boolean, coalesce(${key.endsWithMembership}::boolean, parent_user_id is not null), ${now}::timestamptz
    from users where id = ${key.userId} and (
      select count(*) from api_keys where user_id = ${key.userId} and kind = ${key.kind} and revoked_at is null
    ) < ${max}
    returning id, name, key_prefix as "keyPrefix", created_at as "createdAt", last_used_at as "lastUsedAt", scopes,
      expires_at as "expiresAt", allowed_addresses as "allowedAddresses", application,
      during_membership as "duringMembership"`.execute(tx);
  return rows[0] ?? null;
}

export function selectApiKeys(db: Db, userId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .select(keyColumns)
    .$narrowType<Scoped>()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** If the change gives the key more rights, the owner of a workspace may have made it: the key ends with the membership, also with one that begins later. */
export async function updateApiKeyById(
  db: Db,
  userId: string,
  keyId: string,
  { name, scopes, expiresAt, allowedAddresses }: Partial<KeyRules & { name: string }>,
  widenedAt: Date | null,
): Promise<ApiKeyRow | null> {
  const changed = await db
    .updateTable('api_keys')
    .set({
      name,
      scopes: scopes && [...scopes],
      expires_at: expiresAt,
      allowed_addresses: allowedAddresses && [...allowedAddresses],
      ...(widenedAt && {
        widened_at: widenedAt,
        during_membership: sql<boolean>`during_membership or ${inWorkspace(userId)}`,
      }),
    })
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(keyColumns)
    .$narrowType<Scoped>()
    .executeTakeFirst();
  return changed ?? null;
}

const inWorkspace = (userId: string) =>
  sql`exists (select from users where id = ${userId} and parent_user_id is not null)`;

/** Null if the key does not exist or is already revoked. */
export async function revokeApiKeyById(db: Db, userId: string, keyId: string, now: Date): Promise<ApiKeyRow | null> {
  const revoked = await revoke(db, userId, now).where('id', '=', keyId).executeTakeFirst();
  return revoked ?? null;
}

/**
 * An application replaces its key at each refresh, and people may see an earlier one in a list. Its id stands for the
 * current key of the same approval. Call it with the user locked, so that no refresh comes in between.
 */
export async function currentKeyId(tx: Db, userId: string, keyId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select api_keys.id from oauth_refresh_tokens earlier
    join oauth_refresh_tokens later on later.grant_id = earlier.grant_id
    join api_keys on api_keys.id = later.key_id
    where earlier.key_id = ${keyId} and earlier.user_id = ${userId} and revoked_at is null`.execute(tx);
  return rows[0]?.id ?? keyId;
}

export const revokeCurrentApiKey = (tx: Db, userId: string, now: Date): Promise<ApiKeyRow[]> =>
  revoke(tx, userId, now).where('kind', '=', 'current').execute();

export const revokeMembershipKeys = (tx: Db, userId: string, now: Date): Promise<ApiKeyRow[]> =>
  revoke(tx, userId, now).where('during_membership', '=', true).execute();

export const revokeAllKeys = (tx: Db, userId: string, now: Date): Promise<ApiKeyRow[]> =>
  revoke(tx, userId, now).execute();

const revoke = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(keyColumns)
    .$narrowType<Scoped>();

/**
 * Locks a user together with one of its managed users. Until the transaction ends, no other request can move them or
 * use up their limits.
 */
export const lockWithManaged = (tx: Db, userId: string, managedId: string | null) =>
  sql`
    select from users where id = ${userId} or (parent_user_id = ${userId} and id = ${managedId})
    order by id for no key update`.execute(tx);
