import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/**
 * How many webhooks can be served: quick ones, whose last attempts succeeded quickly, and slow ones, which failed or
 * were slow.
 */
export interface Capacity {
  quick: number;
  slow: number;
}

/** Whether a row of `webhooks` counts as slow. */
const isSlow = sql`(is_slow or failure_count > 0)`;

/**
 * `waiting` contains the earliest waiting delivery of each webhook that has one. `turns` contains those that are due,
 * each ranked among the quick or slow webhooks of its owner: first those being served, then the least recently
 * served. Managed users share the turns of the owner of their workspace.
 */
const turns = (now: Date) => sql`
  with recursive waiting as (
    (select webhook_id, run_at from webhook_deliveries where run_at is not null order by webhook_id, run_at limit 1)
    union all
    select next.webhook_id, next.run_at from waiting, lateral (
      select webhook_id, run_at from webhook_deliveries
      where run_at is not null and webhook_id > waiting.webhook_id order by webhook_id, run_at limit 1
    ) next
  ),
  due as (
    select webhooks.id, run_at, last_triggered_at, ${isSlow} as slow, coalesce(parent_user_id, users.id) as owner,
      leased_until is not null and leased_until > ${now} as leased
    from waiting join webhooks on webhooks.id = webhook_id join users on users.id = user_id
    where webhooks.is_active and not settling and run_at <= ${now}
  ),
  turns as (
    select *, row_number() over (
      partition by owner, slow order by leased desc, last_triggered_at nulls first, run_at
    ) as turn
    from due
  )`;

const capacityFor = ({ quick, slow }: Capacity) => sql`case when slow then ${slow}::integer else ${quick}::integer end`;

/**
 * Leases webhooks that have a due delivery and no lease, alternating between owners. An owner gets another webhook
 * only if the free capacity, including the place for it, is at least the number of webhooks that the owner would then
 * have. One owner can therefore use at most half of the capacity, and some capacity always stays free, no matter how
 * many webhooks a few owners have.
 */
export async function leaseWebhooks(
  db: Db,
  { lease, now, until, free }: { lease: string; now: Date; until: Date; free: Capacity },
): Promise<{ id: string; slow: boolean }[]> {
  const { rows } = await sql<{ id: string; slow: boolean }>`
    ${turns(now)},
    next as (
      select id, slow, turn, row_number() over (
        partition by slow order by turn, last_triggered_at nulls first, run_at
      ) as place
      from turns where not leased
    )
    update webhooks set lease = ${lease}, leased_until = ${until}
    where id in (
      select webhooks.id from webhooks join next on next.id = webhooks.id
      where turn <= ${capacityFor(free)} - (place - 1) and is_active and not settling
        and (leased_until is null or leased_until <= ${now})
      for update of webhooks skip locked
    )
    returning id, ${isSlow} as slow`.execute(db);
  return rows;
}

/**
 * When a process with this free capacity must check again: when a delivery becomes due, or when the lease of a dead
 * process expires. Skips webhooks of owners who have reached their share: the next served webhook of the owner wakes
 * the process.
 */
export async function nextDeliveryTime(db: Db, now: Date, free: Capacity): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    ${turns(now)},
    served as (
      select waiting.run_at, leased_until, turn, leased, ${isSlow} as slow
      from waiting join webhooks on webhooks.id = webhook_id left join turns on turns.id = webhooks.id
      where is_active and not settling
    )
    select min(greatest(run_at, leased_until)) as next from served
    where ${capacityFor(free)} > 0 and (turn is null or leased or turn <= ${capacityFor(free)})`.execute(db);
  return rows[0]!.next;
}

export const endLease = (db: Db, webhookId: string, lease: string) =>
  sql`
    update webhooks set lease = null, leased_until = null where id = ${webhookId} and lease = ${lease}`.execute(db);
