import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { deleteInBatches } from '../../../foundation/db/delete-in-batches.ts';
import { forgetParents, removedParents, rowsOfParent } from '../../../foundation/db/parent-ids.ts';

const webhooksInBatch = 10;

/**
 * Pauses some waiting deliveries of each webhook that was disabled, and makes some of each that was enabled due, in the
 * order of their events. Returns their number. Owners take turns, so that one with many deliveries does not delay the
 * others.
 */
export async function settleSome(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with chosen as materialized (
      select id, is_active from webhooks where settling and id in (
        select id from webhooks where settling
        order by row_number() over (
          partition by (select coalesce(parent_user_id, id) from users where users.id = user_id) order by updated_at
        ), updated_at limit ${webhooksInBatch}
      )
      for no key update skip locked
    ),
    batch as materialized (
      select delivery.id, chosen.id as webhook_id, is_active from chosen cross join lateral (
        (select id from webhook_deliveries
          where webhook_id = chosen.id and not chosen.is_active and run_at is not null limit ${rowsOfParent})
        union all
        (select id from webhook_deliveries
          where webhook_id = chosen.id and chosen.is_active and status = 'pending' and run_at is null
          order by event_id limit ${rowsOfParent})
        union all
        (select id from webhook_deliveries
          where webhook_id = chosen.id and chosen.is_active and run_at > ${now} order by run_at limit ${rowsOfParent})
      ) delivery
    ),
    changed as (
      update webhook_deliveries set run_at = case when is_active then ${now}::timestamptz end
      from batch where webhook_deliveries.id = batch.id
    ),
    settled as (
      update webhooks set settling = false
      from chosen where webhooks.id = chosen.id and chosen.id not in (select webhook_id from batch)
    )
    select count(*)::int as changed from batch`.execute(db);
  return rows[0]!.changed;
}

const hasDeliveries = sql`exists (select from webhook_deliveries where webhook_id = parent_ids.id)`;

/** Deletes the deliveries of webhooks that were deleted, in batches. */
export async function deleteRemovedDeliveries(db: Db, signal?: AbortSignal) {
  await deleteInBatches(
    () =>
      sql`
        with removed as materialized (${removedParents('webhooks', hasDeliveries)})
        delete from webhook_deliveries where id in (
          select delivery.id from removed cross join lateral (
            select id from webhook_deliveries where webhook_id = removed.id limit ${rowsOfParent} for update skip locked
          ) delivery
        )`.execute(db),
    signal,
  );
  await forgetParents(db, 'webhooks', hasDeliveries, signal);
}
