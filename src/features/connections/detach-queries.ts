import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';
import { forgetParents, removedParents, rowsOfParent } from '../../foundation/db/parent-ids.ts';

/** The first comments of a target whose account was disconnected: pending ones become skipped. */
export const commentsSkipped = sql`(
  select jsonb_agg(case when result ->> 'status' = 'pending'
    then result || '{"status": "skipped", "skipReason": "connection_unavailable"}' else result end order by place)
  from jsonb_array_elements(first_comment_results) with ordinality as item (result, place)
)`;

/**
 * Detaches some posts of each connection, those that are being published first. Pending comments of published posts are
 * skipped. It never waits: posts that are locked get their turn in a later batch.
 */
export const detachSome = (db: Db, connections: RawBuilder<unknown>) =>
  sql`
    with removed as materialized (${connections}),
    batch as materialized (
      select post.id from removed cross join lateral (
        select id from (
          select id from platform_posts where connection_id = removed.id and run_at is not null
          order by run_at, id limit ${rowsOfParent} for update skip locked
        ) running
        union all
        select id from (
          select id from platform_posts where connection_id = removed.id limit ${rowsOfParent} for update skip locked
        ) resting
      ) post
    )
    update platform_posts set connection_id = null, run_at = case when status <> 'published' then run_at end,
      first_comment_results = case when status = 'published' and run_at is not null then ${commentsSkipped}
        else first_comment_results end
    from batch where platform_posts.id = batch.id`.execute(db);

const hasPosts = sql`exists (select from platform_posts where connection_id = parent_ids.id)`;

/** Posts of connections that were deleted. */
export async function detachPosts(db: Db, signal?: AbortSignal) {
  await deleteInBatches(() => detachSome(db, removedParents('connections', hasPosts)), signal);
  await forgetParents(db, 'connections', hasPosts, signal);
}
