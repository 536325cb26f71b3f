import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';
import { type PostLogEventName, type WebhookEventName, webhookEvents } from '../../foundation/events/catalogue.ts';
import type { EmittedEvent, PostLogEntry } from '../../foundation/events/define-event.ts';
import { changeCounters, type Reserved } from './update/edit-queries.ts';

export const insertGroupLog = (
  tx: Db,
  log: PostLogEntry<PostLogEventName> & { id: string; groupId: string; userId: string; now: Date },
) =>
  sql`insert into post_logs (id, post_group_id, user_id, event, metadata, created_at)
    values (${log.id}, ${log.groupId}, ${log.userId}, ${log.event}, ${log.metadata}::jsonb, ${log.now})`.execute(tx);

export const insertEvent = (
  tx: Db,
  event: EmittedEvent<WebhookEventName> & { id: string; groupId: string; userId: string; now: Date },
) =>
  sql`insert into events (id, user_id, type, post_group_id, body, created_at)
    values (${event.id}, ${event.userId}, ${event.type}, ${event.groupId}, ${event.body}, ${event.now})`.execute(tx);

/** In batches, so that it never locks many rows at the same time. */
export async function deleteOldLogs(db: Db, before: Date | null, signal?: AbortSignal) {
  if (before === null) return;
  await deleteInBatches(
    (limit) =>
      sql`delete from post_logs where id in (
        select id from post_logs where created_at < ${before} limit ${limit})`.execute(db),
    signal,
  );
}

/** Deletes a group and everything that belongs to it. Unpublished targets no longer count for the month. */
export const deleteGroup = (db: Db, userId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockForDelete(tx, userId, id);
    const { rows: waiting } = await sql<Reserved>`
      select reserved_owner_id as "ownerId", reserved_period as period, platform || '-' || account_id as connection
      from platform_posts
      where post_group_id = ${id} and user_id = ${userId} and status in ('draft', 'scheduled')
        and reserved_period is not null`.execute(tx);
    await changeCounters(tx, waiting, []);
    const { rows } = await sql`
      delete from post_groups where id = ${id} and user_id = ${userId} returning 1`.execute(tx);
    return rows.length > 0;
  });

/**
 * Locks in the same order as concurrent statements: edits lock a group before its targets, publishers lock targets
 * before groups.
 */
async function lockForDelete(tx: Db, userId: string, id: string) {
  const { rows } = await sql`
    select 1 from post_groups where id = ${id} and user_id = ${userId} and processing_status = 'pending'
    for update`.execute(tx);
  if (rows.length > 0) return;
  await sql`
    select 1 from platform_posts where post_group_id = ${id} and user_id = ${userId} order by id for update`.execute(
    tx,
  );
}

/** Null for drafts and for posts that are published immediately, since those never wait for a scheduled time. */
export function scheduledEvent(group: {
  id: string;
  status: 'draft' | 'scheduled';
  scheduledAt: Date | null;
  publishNow: boolean;
  targets: readonly { platform: string; accountId: string }[];
  now: Date;
}) {
  if (group.status === 'draft' || group.publishNow || !group.scheduledAt) return null;
  const data = {
    postGroupId: group.id,
    scheduledTime: group.scheduledAt.toISOString(),
    platforms: group.targets.map(({ platform, accountId }) => `${platform}-${accountId}`),
  };
  return webhookEvents.postScheduled.emit(data, group.now);
}
