import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { PlanKey } from '../lib/plans.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  plan: PlanKey;
}

export interface ApiKeyRow {
  id: string;
  name: string;
  keyPrefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The user with the account that better-auth checks passwords against. False: the e-mail is taken. */
export async function insertUser(
  db: Db,
  user: UserRow & { accountId: string; passwordHash: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with made as (
      insert into users (id, email, name, plan, created_at, updated_at)
      values (${user.id}, ${user.email}, ${user.name}, ${user.plan}, ${now}, ${now})
      on conflict (email) do nothing
      returning id
    )
    insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${user.accountId}, id, id, 'credential', ${user.passwordHash}, ${now}::timestamptz, ${now}::timestamptz from made
    returning 1`.execute(db);
  return rows.length > 0;
}

export async function findUserBy(db: Db, by: { id: string } | { email: string }): Promise<UserRow | null> {
  const where = 'id' in by ? sql`id = ${by.id}` : sql`email = ${by.email}`;
  const { rows } = await sql<UserRow>`select id, email, name, plan from users where ${where}`.execute(db);
  return rows[0] ?? null;
}

export const updatePlan = (db: Db, userId: string, plan: PlanKey, connections: number | null, now: Date) =>
  sql`update users set plan = ${plan}, connection_quantity = ${connections}, updated_at = ${now} where id = ${userId}`.execute(
    db,
  );

export const updateWorkspaceEnabled = (db: Db, userId: string, now: Date) =>
  sql`update users set workspace_enabled = true, updated_at = ${now} where id = ${userId}`.execute(db);

/** Holds back others who make keys for this user until the transaction ends. Answers the plan that counts, null without the user. */
export async function lockUser(tx: Db, userId: string): Promise<PlanKey | null> {
  const { rows } = await sql<{ plan: PlanKey }>`
    select coalesce(owner.plan, users.plan) as plan
    from users left join users owner on owner.id = users.parent_user_id
    where users.id = ${userId}
    for no key update of users`.execute(tx);
  return rows[0]?.plan ?? null;
}

export interface NewApiKey {
  id: string;
  userId: string;
  kind: 'dashboard' | 'current';
  name: string;
  keyPrefix: string;
  keyHash: Buffer;
}

const keyColumns = sql`id, name, key_prefix as "keyPrefix", created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Null: the user has that many keys of this kind already. Exact only under `lockUser`. */
export async function insertApiKey(tx: Db, key: NewApiKey, max: number, now: Date): Promise<ApiKeyRow | null> {
  const { rows } = await sql<ApiKeyRow>`
    insert into api_keys (id, user_id, kind, name, key_prefix, key_hash, created_at)
    select ${key.id}, ${key.userId}, ${key.kind}, ${key.name}, ${key.keyPrefix}, ${key.keyHash}, ${now}::timestamptz
    where (
      select count(*) from api_keys where user_id = ${key.userId} and kind = ${key.kind} and revoked_at is null
    ) < ${max}
    returning ${keyColumns}`.execute(tx);
  return rows[0] ?? null;
}

export async function selectApiKeys(db: Db, userId: string): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select ${keyColumns} from api_keys
    where user_id = ${userId} and revoked_at is null
    order by created_at, id`.execute(db);
  return rows;
}

export async function updateApiKeyName(db: Db, userId: string, keyId: string, name: string): Promise<ApiKeyRow | null> {
  const { rows } = await sql<ApiKeyRow>`
    update api_keys set name = ${name}
    where id = ${keyId} and user_id = ${userId} and revoked_at is null
    returning ${keyColumns}`.execute(db);
  return rows[0] ?? null;
}

export async function revokeApiKeyById(db: Db, userId: string, keyId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update api_keys set revoked_at = ${now}
    where id = ${keyId} and user_id = ${userId} and revoked_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

export const revokeCurrentApiKey = (tx: Db, userId: string, now: Date) =>
  sql`update api_keys set revoked_at = ${now} where user_id = ${userId} and kind = 'current' and revoked_at is null`.execute(
    tx,
  );
