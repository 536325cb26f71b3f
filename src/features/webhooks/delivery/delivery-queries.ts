import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { deleteInBatches } from '../../../foundation/db/delete-in-batches.ts';

export interface DueDelivery {
  id: string;
  event: string;
  postGroupId: string | null;
  body: string;
  attempts: number;
}

export interface Batch {
  userId: string;
  url: string;
  /** Sealed. */
  secret: string;
  deliveries: DueDelivery[];
}

/**
 * Extends the lease and reads due deliveries. While an event waits for its second attempt, later events of the same
 * post wait with it. Null if the lease was lost or the webhook was disabled.
 */
export async function nextBatch(
  db: Db,
  webhookId: string,
  { lease, now, until, limit }: { lease: string; now: Date; until: Date; limit: number },
): Promise<Batch | null> {
  const { rows } = await sql<Batch>`
    with leased as (
      update webhooks set leased_until = ${until}
      where id = ${webhookId} and lease = ${lease} and is_active and not settling returning user_id, url, secret
    ),
    due as (
      select * from webhook_deliveries
      where webhook_id = ${webhookId} and run_at <= ${now} and exists (select from leased)
      order by run_at, event_id limit ${limit}
    ),
    behind as (
      select due.id, max(earlier.run_at) as until from due join webhook_deliveries earlier
        on earlier.webhook_id = due.webhook_id and earlier.post_group_id = due.post_group_id
          and earlier.event_id < due.event_id and earlier.attempts = 1 and earlier.run_at > ${now}
      where due.attempts = 0 group by due.id
    ),
    postponed as (
      update webhook_deliveries set run_at = until from behind where webhook_deliveries.id = behind.id
    )
    select user_id as "userId", url, secret, coalesce((
      select json_agg(json_build_object('id', id, 'event', event, 'postGroupId', post_group_id, 'body', body,
        'attempts', attempts) order by run_at, event_id)
      from due where id not in (select id from behind)
    ), '[]') as deliveries
    from leased`.execute(db);
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
  /** A date is the time of the next attempt. */
  outcome: 'delivered' | 'failed' | Date;
}

export interface Tally {
  /**
   * Failed attempts since the last success in the batch. If there was no success, they are added to the earlier ones.
   */
  failures: number;
  /** The same for events that used up all their attempts. */
  exhausted: number;
  succeeded: boolean;
  /** The receiver responded that it is permanently gone. */
  gone: boolean;
  /** An attempt was slow. The webhook counts as slow until all attempts of a batch are quick. */
  slow: boolean;
}

export interface DisabledWebhook {
  userId: string;
  name: string;
  url: string;
}

/**
 * Records the attempts of a batch, counts consecutive failures, and disables a webhook that has failed for too long.
 * Returns the webhook if this call disabled it.
 */
export async function recordAttempts(
  db: Db,
  webhookId: string,
  attempts: readonly Attempt[],
  tally: Tally,
  { maxExhausted, now, releasedLease }: { maxExhausted: number; now: Date; releasedLease: string | null },
): Promise<DisabledWebhook | null> {
  const addedTo = (count: string, more: number) =>
    sql`case when ${tally.succeeded} then 0 else ${sql.ref(count)} end + ${more}`;
  const exhausted = addedTo('exhausted_events', tally.exhausted);
  const retryAt = attempts.map(({ outcome }) => (outcome instanceof Date ? outcome : null));
  const status = attempts.map(({ outcome }) => (outcome instanceof Date ? 'pending' : outcome));
  const { rows } = await sql<DisabledWebhook>`
    with attempted as (
      select * from unnest(
        ${attempts.map(({ id }) => id)}::text[], ${attempts.map(({ deliveryId }) => deliveryId)}::text[],
        ${attempts.map(({ at }) => at)}::timestamptz[], ${attempts.map(({ durationMs }) => durationMs)}::integer[],
        ${attempts.map((attempt) => attempt.status)}::integer[], ${attempts.map(({ error }) => error)}::text[],
        ${attempts.map(({ answer }) => answer)}::text[], ${status}::text[], ${retryAt}::timestamptz[]
      ) as attempt (id, delivery_id, at, duration_ms, status, error, answer, outcome, retry_at)
    ),
    before as (select id, is_active from webhooks where id = ${webhookId} for update),
    counted as (
      update webhooks set
        failure_count = ${addedTo('failure_count', tally.failures)},
        exhausted_events = ${exhausted}, is_slow = ${tally.slow}, last_triggered_at = ${now},
        is_active = webhooks.is_active and not ${tally.gone} and ${exhausted} < ${maxExhausted},
        settling = settling or webhooks.is_active and (${tally.gone} or ${exhausted} >= ${maxExhausted}),
        lease = nullif(lease, ${releasedLease}), leased_until = case when lease = ${releasedLease} then null else leased_until end
      from before where webhooks.id = before.id
      returning webhooks.id, webhooks.is_active, before.is_active and not webhooks.is_active as is_disabled, user_id, name, url
    ),
    -- Every statement locks the webhook before its deliveries. Deliveries that were deleted meanwhile are skipped.
    locked as (
      select webhook_deliveries.id, is_active from counted join webhook_deliveries on webhook_id = counted.id
      where webhook_deliveries.id in (select delivery_id from attempted) for update of webhook_deliveries
    ),
    logged as (
      insert into webhook_attempts (id, delivery_id, at, duration_ms, status, error, answer)
      select attempted.id, delivery_id, at, duration_ms, status, error, answer
      from attempted join locked on locked.id = delivery_id
    ),
    ended as (
      update webhook_deliveries set status = outcome, attempts = attempts + 1,
        run_at = case when is_active then retry_at end,
        ended_at = case when outcome <> 'pending' then ${now}::timestamptz end
      from attempted join locked on locked.id = delivery_id
      where webhook_deliveries.id = delivery_id and webhook_deliveries.status = 'pending'
    )
    select user_id as "userId", name, url from counted where is_disabled`.execute(db);
  return rows[0] ?? null;
}

/** In batches, so that it never locks many rows at the same time. */
export async function deleteOld(
  db: Db,
  table: 'webhook_deliveries' | 'events',
  before: Date | null,
  signal?: AbortSignal,
) {
  if (before === null) return;
  await deleteInBatches(
    (limit) =>
      sql`delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where created_at < ${before} limit ${limit})`.execute(db),
    signal,
  );
}
