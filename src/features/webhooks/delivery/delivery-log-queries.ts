import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { EmittedEvent } from '../../../foundation/events/define-event.ts';

/** A delivery makes up to eight attempts, and up to eight more each time it is resent. */
export const maxAttempts = 20;

export interface DeliveryRow {
  id: string;
  event: string;
  status: 'pending' | 'delivered' | 'failed';
  body: string;
  runAt: Date | null;
  createdAt: Date;
  attempts: { at: string; durationMs: number; status: number | null; error: string | null; answer: string }[];
}

const newestAttempts = (deliveryId: RawBuilder<unknown>) => sql`
  select * from webhook_attempts where delivery_id = ${deliveryId} order by at desc, id desc limit ${maxAttempts}`;

export async function selectDeliveries(db: Db, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select id, event, status, body, run_at as "runAt", created_at as "createdAt", coalesce((
      select json_agg(json_build_object('at', at, 'durationMs', duration_ms, 'status', attempt.status, 'error', error,
        'answer', answer) order by at)
      from (${newestAttempts(sql.ref('webhook_deliveries.id'))}) attempt
    ), '[]') as attempts
    from webhook_deliveries where webhook_id = ${webhookId} order by created_at desc, id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

export const insertTestDelivery = (db: Db, delivery: EmittedEvent & { id: string; webhookId: string; now: Date }) =>
  sql`
    with made as (
      insert into webhook_deliveries (id, webhook_id, event_id, event, body, run_at, created_at)
      values (${delivery.id}, ${delivery.webhookId}, ${delivery.id}, ${delivery.type}, ${delivery.body}, ${delivery.now},
        ${delivery.now})
    )
    select pg_notify('webhook_due', '')`.execute(db);

/**
 * Schedules the same bytes under the same id with a full set of attempts, unless the webhook is disabled. Keeps the
 * newest of the attempts so far. Null if the user has no such delivery.
 */
export async function restartDelivery(
  db: Db,
  userId: string,
  id: string,
  now: Date,
): Promise<{ id: string; isActive: boolean } | null> {
  const { rows } = await sql<{ id: string; isActive: boolean }>`
    with found as (
      select webhook_deliveries.id, is_active from webhook_deliveries join webhooks on webhooks.id = webhook_id
      where webhook_deliveries.id = ${id} and user_id = ${userId}
    ),
    restarted as (
      update webhook_deliveries set status = 'pending', attempts = 0, ended_at = null, run_at = ${now}
      from found where webhook_deliveries.id = found.id and is_active
      returning webhook_deliveries.id
    ),
    forgotten as (
      delete from webhook_attempts using restarted where delivery_id = restarted.id
        and webhook_attempts.id not in (select id from (${newestAttempts(sql.ref('restarted.id'))}) newest)
    )
    select id, is_active as "isActive", pg_notify('webhook_due', '')::text as notified from found`.execute(db);
  return rows[0] ?? null;
}
