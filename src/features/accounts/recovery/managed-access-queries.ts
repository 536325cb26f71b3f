import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { ApiKeyRow } from '../../users/queries.ts';

/**
 * The access that the owner of a workspace may know of its users: their current key, the connection link, and
 * webhooks that were created, or got their URL or secret, in the workspace. Members create other keys themselves.
 */
const ofManaged = (ownerId: string) => sql`users.parent_user_id = ${ownerId}`;
const knownKey = sql`api_keys.kind = 'current' and api_keys.during_membership and api_keys.revoked_at is null`;

export interface ManagedAccess {
  kind: 'managed_keys' | 'managed_links' | 'managed_webhooks';
  count: number;
  /** Of the oldest one. */
  createdAt: Date;
  /** Of any of them. Null if never or unknown. */
  lastUsedAt: Date | null;
}

/** Only kinds with at least one entry. */
export async function selectManagedAccess(db: Db, ownerId: string, now: Date): Promise<ManagedAccess[]> {
  const { rows } = await sql<ManagedAccess>`
    select * from (
      select 'managed_keys' as kind, count(*)::integer, min(api_keys.created_at) as "createdAt",
        max(last_used_at) as "lastUsedAt"
      from api_keys join users on users.id = user_id
      where ${ofManaged(ownerId)} and ${knownKey} and (expires_at is null or expires_at > ${now})
      union all
      select 'managed_links', count(*)::integer, min(link.created_at), null
      from connection_links link join users on users.id = user_id
      where ${ofManaged(ownerId)} and expires_at > ${now}
      union all
      select 'managed_webhooks', count(*)::integer, min(webhooks.created_at), max(last_triggered_at)
      from webhooks join users on users.id = user_id
      where ${ofManaged(ownerId)} and during_membership
    ) as access where count > 0`.execute(db);
  return rows;
}

type OfUser<T> = T & { userId: string; email: string };

export async function revokeManagedKeys(tx: Db, ownerId: string, now: Date): Promise<OfUser<ApiKeyRow>[]> {
  const { rows } = await sql<OfUser<ApiKeyRow>>`
    update api_keys set revoked_at = ${now} from users
    where users.id = user_id and ${ofManaged(ownerId)} and ${knownKey}
    returning users.id as "userId", users.email, api_keys.id, api_keys.name, key_prefix as "keyPrefix",
      api_keys.created_at as "createdAt", last_used_at as "lastUsedAt", scopes, expires_at as "expiresAt",
      allowed_addresses as "allowedAddresses", application, during_membership as "duringMembership"`.execute(tx);
  return rows;
}

export async function deleteManagedLinks(tx: Db, ownerId: string): Promise<OfUser<object>[]> {
  const { rows } = await sql<OfUser<object>>`
    delete from connection_links using users where users.id = user_id and ${ofManaged(ownerId)}
    returning users.id as "userId", users.email`.execute(tx);
  return rows;
}

/** Deliverers are notified. */
export async function deleteManagedWebhooks(tx: Db, ownerId: string) {
  const { rows } = await sql<OfUser<{ id: string; name: string; url: string }>>`
    with deleted as (
      delete from webhooks using users where users.id = user_id and ${ofManaged(ownerId)} and during_membership
      returning user_id as "userId", email, webhooks.id, webhooks.name, url
    )
    select *, pg_notify('webhook_changed', id)::text as notified from deleted`.execute(tx);
  return rows;
}
