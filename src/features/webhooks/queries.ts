import { sql } from 'kysely';
import { lockOf } from '../../foundation/db/advisory-locks.ts';
import type { Db } from '../../foundation/db/database.ts';

export interface Webhook {
  id: string;
  userId: string;
  name: string;
  url: string;
  events: string[];
  /** Sealed. */
  secret: string;
  isActive: boolean;
  failureCount: number;
  lastTriggeredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = sql`id, user_id as "userId", name, url, events, secret, is_active as "isActive",
  failure_count as "failureCount", last_triggered_at as "lastTriggeredAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

export async function selectWebhooks(db: Db, userId: string): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where user_id = ${userId} order by created_at desc, id desc`.execute(db);
  return rows;
}

export async function findWebhook(db: Db, userId: string, id: string): Promise<Webhook | null> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export type NewWebhook = Pick<Webhook, 'id' | 'userId' | 'name' | 'url' | 'events' | 'secret'>;

/** Null if the user already has `max` webhooks. The lock enforces this for concurrent calls as well. */
export async function insertWebhook(tx: Db, webhook: NewWebhook, max: number, now: Date): Promise<Webhook | null> {
  await lockOf(tx, 'webhooks of', webhook.userId);
  const { rows } = await sql<Webhook>`
    insert into webhooks (id, user_id, name, url, events, secret, during_membership, created_at, updated_at)
    select ${webhook.id}, id, ${webhook.name}, ${webhook.url}, ${webhook.events}::text[], ${webhook.secret},
      parent_user_id is not null, ${now}::timestamptz, ${now}::timestamptz
    from users
    where id = ${webhook.userId} and (select count(*) from webhooks where user_id = ${webhook.userId}) < ${max}
    returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

export interface Change {
  name?: string;
  url?: string;
  events?: string[];
  isActive?: boolean;
  secret?: string;
  resetsFailures?: boolean;
}

/**
 * Disabling a webhook pauses its waiting deliveries; enabling it resumes them. The deliverer is notified, and does
 * either in batches.
 * As with a new webhook, the caller who changes the URL or the secret may be the owner of a workspace.
 */
export async function updateWebhook(
  db: Db,
  userId: string,
  id: string,
  change: Change,
  now: Date,
): Promise<Webhook | null> {
  const isOtherReceiver = change.url !== undefined || change.secret !== undefined;
  const { rows } = await sql<Webhook>`
    with changed as (
      update webhooks set settling = settling or is_active <> coalesce(${change.isActive ?? null}, is_active),
        name = coalesce(${change.name ?? null}, name), url = coalesce(${change.url ?? null}, url),
        events = coalesce(${change.events ?? null}::text[], events), secret = coalesce(${change.secret ?? null}, secret),
        is_active = coalesce(${change.isActive ?? null}, is_active),
        failure_count = case when ${change.resetsFailures ?? false} then 0 else failure_count end,
        exhausted_events = case when ${change.isActive ?? false} then 0 else exhausted_events end,
        during_membership = during_membership or ${isOtherReceiver}
          and exists (select from users where users.id = webhooks.user_id and parent_user_id is not null),
        updated_at = ${now}
      where id = ${id} and user_id = ${userId}
      returning *
    )
    select ${columns}, pg_notify('webhook_changed', id)::text as notified from changed`.execute(db);
  return rows[0] ?? null;
}

/** Null if there was none. */
export async function deleteWebhook(db: Db, userId: string, id: string): Promise<Webhook | null> {
  const { rows } = await sql<Webhook>`
    with deleted as (delete from webhooks where id = ${id} and user_id = ${userId} returning *)
    select ${columns}, pg_notify('webhook_changed', id)::text as notified from deleted`.execute(db);
  return rows[0] ?? null;
}
