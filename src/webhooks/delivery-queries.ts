import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface LeasedWebhook {
  id: string;
  url: string;
  /** Sealed. */
  secret: string;
}

/** The first delivery that waits, of each webhook that has one. */
const waiting = sql`
  with recursive waiting as (
    (select webhook_id, run_at from webhook_deliveries where run_at is not null order by webhook_id, run_at limit 1)
    union all
    select next.webhook_id, next.run_at from waiting, lateral (
      select webhook_id, run_at from webhook_deliveries
      where run_at is not null and webhook_id > waiting.webhook_id order by webhook_id, run_at limit 1
    ) next
  )`;

/** Takes webhooks that have something due and that nobody is at, the longest waiting first. */
export async function leaseWebhooks(
  db: Db,
  { lease, now, until, limit }: { lease: string; now: Date; until: Date; limit: number },
): Promise<LeasedWebhook[]> {
  const { rows } = await sql<LeasedWebhook>`
    ${waiting}
    update webhooks set lease = ${lease}, leased_until = ${until}
    where id in (
      select id from webhooks join waiting on waiting.webhook_id = webhooks.id
      where waiting.run_at <= ${now} and is_active and (leased_until is null or leased_until <= ${now})
      order by waiting.run_at limit ${limit} for update of webhooks skip locked
    )
    returning id, url, secret`.execute(db);
  return rows;
}

/** When somebody has to look next: something becomes due, or a lease that was left behind ends. */
export async function nextDeliveryTime(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    ${waiting}
    select min(greatest(run_at, leased_until)) as next
    from waiting join webhooks on webhooks.id = webhook_id where is_active`.execute(db);
  return rows[0]!.next;
}

export interface DueDelivery {
  id: string;
  event: string;
  postGroupId: string | null;
  body: string;
  attempts: number;
}

/** Prolongs the lease and reads what is due. Null: the lease is no longer ours, or the webhook was switched off. */
export async function nextBatch(
  db: Db,
  webhookId: string,
  { lease, now, until, limit }: { lease: string; now: Date; until: Date; limit: number },
): Promise<{ url: string; secret: string; deliveries: DueDelivery[] } | null> {
  const { rows } = await sql<{ url: string; secret: string; deliveries: DueDelivery[] }>`
    with held as (
      update webhooks set leased_until = ${until}
      where id = ${webhookId} and lease = ${lease} and is_active returning id, url, secret
    )
    select url, secret, coalesce((
      select json_agg(due) from (
        select webhook_deliveries.id, event, post_group_id as "postGroupId", body, attempts from webhook_deliveries
        where webhook_id = held.id and run_at <= ${now}
        order by run_at, webhook_deliveries.id limit ${limit}
      ) due
    ), '[]') as deliveries
    from held`.execute(db);
  return rows[0] ?? null;
}

export interface Attempt {
  id: string;
  deliveryId: string;
  at: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  answer: string;
  /** What follows: it arrived, it is tried again then, or it is given up. */
  outcome: 'delivered' | 'failed' | Date;
}

/** How a batch went. Counts failures in a row, and switches a webhook off that takes nothing any more. */
export async function recordAttempts(
  db: Db,
  webhookId: string,
  attempts: readonly Attempt[],
  tally: { failureCount: number; failuresAdd: boolean; exhausted: number; exhaustedAdd: boolean; gone: boolean },
  { maxExhausted, now }: { maxExhausted: number; now: Date },
) {
  const exhausted = sql`case when ${tally.exhaustedAdd} then exhausted_events else 0 end + ${tally.exhausted}`;
  const retryAt = attempts.map(({ outcome }) => (outcome instanceof Date ? outcome : null));
  const status = attempts.map(({ outcome }) => (outcome instanceof Date ? 'pending' : outcome));
  await sql`
    with tried as (
      select * from unnest(
        ${attempts.map(({ id }) => id)}::text[], ${attempts.map(({ deliveryId }) => deliveryId)}::text[],
        ${attempts.map(({ at }) => at)}::timestamptz[], ${attempts.map(({ durationMs }) => durationMs)}::integer[],
        ${attempts.map((attempt) => attempt.status)}::integer[], ${attempts.map(({ error }) => error)}::text[],
        ${attempts.map(({ answer }) => answer)}::text[], ${status}::text[], ${retryAt}::timestamptz[]
      ) as attempt (id, delivery_id, at, duration_ms, status, error, answer, outcome, retry_at)
    ),
    noted as (
      insert into webhook_attempts (id, delivery_id, at, duration_ms, status, error, answer)
      select tried.id, delivery_id, at, duration_ms, tried.status, error, answer
      from tried join webhook_deliveries on webhook_deliveries.id = delivery_id
    ),
    counted as (
      update webhooks set
        failure_count = case when ${tally.failuresAdd} then failure_count else 0 end + ${tally.failureCount},
        exhausted_events = ${exhausted}, last_triggered_at = ${now},
        is_active = is_active and not ${tally.gone} and ${exhausted} < ${maxExhausted}
      where id = ${webhookId}
      returning is_active
    )
    update webhook_deliveries set status = outcome, attempts = attempts + 1,
      run_at = case when (select is_active from counted) then retry_at end,
      ended_at = case when outcome <> 'pending' then ${now}::timestamptz end
    from tried where webhook_deliveries.id = delivery_id`.execute(db);
}

/** Ours no longer. What a webhook that was switched off has waiting is put aside. */
export const endLease = (db: Db, webhookId: string, lease: string) =>
  sql`
    with ended as (
      update webhooks set lease = null, leased_until = null
      where id = ${webhookId} and lease = ${lease} returning id, is_active
    )
    update webhook_deliveries set run_at = null
    from ended where webhook_id = ended.id and not is_active and run_at is not null`.execute(db);

export interface DeliveryRow {
  id: string;
  event: string;
  status: 'pending' | 'delivered' | 'failed';
  body: string;
  runAt: Date | null;
  createdAt: Date;
  attempts: { at: string; durationMs: number; status: number | null; error: string | null; answer: string }[];
}

export async function selectDeliveries(db: Db, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select id, event, status, body, run_at as "runAt", created_at as "createdAt", coalesce((
      select json_agg(json_build_object('at', at, 'durationMs', duration_ms, 'status', attempt.status, 'error', error,
        'answer', answer) order by at)
      from webhook_attempts attempt where delivery_id = webhook_deliveries.id
    ), '[]') as attempts
    from webhook_deliveries where webhook_id = ${webhookId} order by created_at desc, id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

export const insertTestDelivery = (
  db: Db,
  delivery: { id: string; webhookId: string; event: string; body: string; now: Date },
) =>
  sql`
    with made as (
      insert into webhook_deliveries (id, webhook_id, event_id, event, body, run_at, created_at)
      values (${delivery.id}, ${delivery.webhookId}, ${delivery.id}, ${delivery.event}, ${delivery.body}, ${delivery.now},
        ${delivery.now})
    )
    select pg_notify('webhook_due', '')`.execute(db);

/** The same bytes under the same name, from the first attempt on. Null if there is no such delivery of this user. */
export async function restartDelivery(db: Db, userId: string, id: string, now: Date): Promise<{ id: string } | null> {
  const { rows } = await sql<{ id: string }>`
    with again as (
      update webhook_deliveries set status = 'pending', attempts = 0, ended_at = null,
        run_at = case when webhooks.is_active then ${now}::timestamptz end
      from webhooks where webhooks.id = webhook_id and webhook_deliveries.id = ${id} and webhooks.user_id = ${userId}
      returning webhook_deliveries.id
    )
    select id, pg_notify('webhook_due', '')::text as told from again`.execute(db);
  return rows[0] ?? null;
}

/** In small bites, so that it never holds many rows at once. */
export async function deleteOld(db: Db, before: Date) {
  for (const table of ['webhook_deliveries', 'events'] as const) {
    let deleted = 1n;
    while (deleted > 0n) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)} where created_at < ${before} limit 10000)`.execute(db);
      deleted = numAffectedRows;
    }
  }
}
