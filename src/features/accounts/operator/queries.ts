import { type RawBuilder, sql } from 'kysely';
import type { PlanKey } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { hasPassword } from '../../auth/passwords/queries.ts';

/** Filters for operators, across all users. */

export interface UserFilter {
  /** A part of the email or the name, or the whole id. */
  search?: string | undefined;
  plan?: PlanKey | undefined;
  /** Only deactivated users. */
  inactive?: boolean | undefined;
  limit: number;
}

export interface ListedUser {
  id: string;
  email: string;
  plan: PlanKey;
  ownerId: string | null;
  state: 'active' | 'on hold' | 'being deleted' | 'deactivated';
  connections: number;
  createdAt: Date;
  lastSignInAt: Date | null;
}

/** Newest first. Expired holds are ignored. */
export async function selectUsers(db: Db, filter: UserFilter, now: Date): Promise<ListedUser[]> {
  const { search, plan, inactive, limit } = filter;
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (search) conditions.push(sql`(email ilike ${pattern} or name ilike ${pattern} or id = lower(${search}))`);
  if (plan) conditions.push(sql`plan = ${plan}`);
  if (inactive) conditions.push(sql`not is_active`);
  const { rows } = await sql<ListedUser>`
    select id, email, plan, parent_user_id as "ownerId", created_at as "createdAt",
      case when not is_active then 'deactivated'
        when deletion_at is not null then 'being deleted'
        when held_at is not null and (hold_expires_at is null or hold_expires_at > ${now}) then 'on hold'
        else 'active' end as state,
      (select count(*)::int from connections where user_id = users.id) as connections,
      greatest(
        (select max(created_at) from auth_sessions where user_id = users.id),
        (select max(at) from audit_log where user_id = users.id and event = 'signed_in')
      ) as "lastSignInAt"
    from users where ${sql.join(conditions, sql` and `)}
    order by users.created_at desc, users.id desc limit ${limit}`.execute(db);
  return rows;
}

export interface ListedKey {
  id: string;
  userId: string;
  email: string;
  name: string;
  keyPrefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const listedKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.id',
      'user_id as userId',
      'email',
      'api_keys.name',
      'key_prefix as keyPrefix',
      'api_keys.created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('revoked_at', 'is', null)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc');

/** Active keys, newest first. Without a user, those of all users. */
export function selectKeys(db: Db, userId: string | null, limit: number): Promise<ListedKey[]> {
  const keys = listedKeys(db).limit(limit);
  return (userId === null ? keys : keys.where('user_id', '=', userId)).execute();
}

/** Keys of two users that were created in the same millisecond can have the same prefix. */
export const findKeys = (db: Db, idOrPrefix: string): Promise<ListedKey[]> =>
  listedKeys(db)
    .where(({ or, eb }) => or([eb('api_keys.id', '=', idOrPrefix.toLowerCase()), eb('key_prefix', '=', idOrPrefix)]))
    .limit(2)
    .execute();

export interface Owned {
  managedUsers: number;
  connections: number;
  postGroups: number;
  media: number;
}

export async function countOwned(db: Db, userId: string): Promise<Owned> {
  const { rows } = await sql<Owned>`
    select (select count(*)::int from users where parent_user_id = ${userId}) as "managedUsers",
      (select count(*)::int from connections where user_id = ${userId}) as connections,
      (select count(*)::int from post_groups where user_id = ${userId}) as "postGroups",
      (select count(*)::int from media where user_id = ${userId}) as media`.execute(db);
  return rows[0]!;
}

/**
 * Deletes everything that refers to the user as well. Returns the address that the user had, or null if the user has
 * managed users or does not exist.
 */
export async function deleteUserRow(tx: Db, userId: string): Promise<{ email: string; hadPassword: boolean } | null> {
  const { rows } = await sql<{ email: string; hadPassword: boolean }>`
    delete from users where id = ${userId} and not exists (select from users managed where managed.parent_user_id = ${userId})
    returning email, ${hasPassword} as "hadPassword"`.execute(tx);
  return rows[0] ?? null;
}

export const deleteMailsTo = (tx: Db, email: string) => tx.deleteFrom('mails').where('recipient', '=', email).execute();
