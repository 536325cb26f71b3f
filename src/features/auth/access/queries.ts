import { type RawBuilder, sql } from 'kysely';
import type { PlanKey } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { Scope } from '../../../foundation/http/scopes.ts';
import type { Json } from '../../../foundation/lib/json.ts';

export interface KnownConnection {
  readonly id: string;
  readonly platform: string;
  readonly accountId: string;
  readonly handle: string;
  readonly traits: { readonly [name: string]: Json };
}

export interface Access {
  keyUserId: string;
  ownerId: string | null;
  ownerActive: boolean;
  plan: PlanKey;
  planIsDefault: boolean;
  connectionQuantity: number | null;
  connections: KnownConnection[];
  workspaceEnabled: boolean;
  /** False if an operator has disabled API access. */
  apiAccess: boolean;
  mcpAccess: boolean;
  /** Whether the user named in x-service-user-id belongs to the key's user. */
  managed: boolean;
  /** When the account or its owner's will be erased, or that of the managed user. Null if all of them stay. */
  deletionAt: Date | null;
}

/** The access of a user, restricted to what the key allows. */
export interface KeyAccess extends Access {
  keyId: string;
  keyPrefix: string;
  scopes: Scope[];
  /** If empty, the key can be used from anywhere. */
  allowedAddresses: string[];
  expiresAt: Date | null;
  /** Bodies of calls with the key are stored until then. */
  bodiesUntil: Date | null;
  /** An agent got the key for the MCP server. */
  isForMcp: boolean;
}

/** The user of a key and what the key gives access to. Updates the time of last use, at most once a minute. */
export async function findAccess(db: Db, keyHash: Buffer, actAs: string | null, now: Date): Promise<KeyAccess | null> {
  const { rows } = await sql<KeyAccess>`
    with used as (
      update api_keys set last_used_at = ${now}
      where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > ${now})
        and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')
    )
    ${access(actAs, ofKey)}
    join api_keys on api_keys.user_id = actor.id
    where api_keys.key_hash = ${keyHash} and api_keys.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Like `findAccess`, by the id of the key, for a request whose key is already known. */
export async function findAccessOfKey(db: Db, keyId: string, actAs: string | null): Promise<KeyAccess | null> {
  const { rows } = await sql<KeyAccess>`
    ${access(actAs, ofKey)}
    join api_keys on api_keys.user_id = actor.id
    where api_keys.id = ${keyId} and api_keys.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Like `findAccess`, for a user without a key. */
export async function findUserAccess(db: Db, userId: string, actAs: string | null): Promise<Access | null> {
  const { rows } = await sql<Access>`${access(actAs, sql``)} where actor.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** A session that has not expired, with the state of its user. */
export async function findSession(db: Db, userId: string, id: string) {
  const session = db.selectFrom('auth_sessions').innerJoin('users', 'users.id', 'auth_sessions.user_id');
  const found = await session
    .select(['auth_sessions.created_at as signedInAt', 'is_active as isActive'])
    .select(['held_at as heldAt', 'hold_expires_at as holdExpiresAt', 'hold_reason as holdReason'])
    .where('auth_sessions.id', '=', id)
    .where('auth_sessions.user_id', '=', userId)
    .where('auth_sessions.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Deletes sessions that have been unused for too long, by better-auth's own clock, and those that started no later
 * than `startedUntil`.
 */
export async function deleteExpiredSessions(db: Db, startedUntil: Date) {
  await db
    .deleteFrom('auth_sessions')
    .where((where) => where.or([where('expires_at', '<', sql<Date>`now()`), where('created_at', '<=', startedUntil)]))
    .execute();
}

export const updateLastUse = (db: Db, sessionId: string, now: Date) =>
  db.updateTable('auth_sessions').set({ last_used_at: now }).where('id', '=', sessionId).execute();

/** Whether the user must enter a code after the password. */
export async function hasTwoFactor(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('two_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

const ofKey = sql`,
    api_keys.id as "keyId",
    api_keys.key_prefix as "keyPrefix",
    api_keys.scopes,
    api_keys.allowed_addresses as "allowedAddresses",
    api_keys.expires_at as "expiresAt",
    api_keys.for_mcp as "isForMcp",
    actor.log_bodies_until as "bodiesUntil"`;

const access = (actAs: string | null, more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select
    actor.id as "keyUserId",
    owner.id as "ownerId",
    actor.is_active and coalesce(owner.is_active, true) as "ownerActive",
    coalesce(owner.plan, actor.plan) as "plan",
    coalesce(owner.plan_is_default, actor.plan_is_default) as "planIsDefault",
    case when owner.id is null then actor.connection_quantity else owner.connection_quantity end as "connectionQuantity",
    coalesce((
      select json_agg(json_build_object(
        'id', id, 'platform', platform, 'accountId', account_id, 'handle', handle, 'traits', traits
      ))
      from connections where user_id = coalesce(managed.id, actor.id)
    ), '[]') as connections,
    actor.workspace_enabled or actor.role = 'admin' as "workspaceEnabled",
    actor.api_access and coalesce(owner.api_access, true) and coalesce(managed.api_access, true) as "apiAccess",
    actor.mcp_access and coalesce(owner.mcp_access, true) and coalesce(managed.mcp_access, true) as "mcpAccess",
    managed.id is not null as "managed",
    least(actor.deletion_at, owner.deletion_at, managed.deletion_at) as "deletionAt"${more}
  from users actor
  left join users owner on owner.id = actor.parent_user_id
  left join users managed on managed.id = lower(${actAs}) and managed.parent_user_id = actor.id and managed.is_active`;
