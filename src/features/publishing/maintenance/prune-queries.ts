import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { deleteBatch, deleteInBatches } from '../../../foundation/db/delete-in-batches.ts';

/**
 * Deletes the steps of targets that were published before this time and have no pending comments. Failed targets keep
 * their steps, because a retry continues after them. Reads each row once, in primary key order, so rows that are kept
 * are not read twice.
 */
export async function deleteOldSteps(db: Db, before: Date | null, signal?: AbortSignal) {
  if (before === null) return;
  // Ids start with their creation time, which is before the target was published.
  const end = before.getTime().toString(16).padStart(12, '0');
  for (let after: string | null = ''; after !== null && !signal?.aborted; ) {
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      with seen as materialized (
        select platform_post_id as id from publish_steps
        where platform_post_id > ${after} and platform_post_id < ${end} order by platform_post_id limit ${deleteBatch}
      ),
      deleted as (
        delete from publish_steps using platform_posts target
        where platform_post_id in (select id from seen) and target.id = platform_post_id
          and target.status = 'published' and target.run_at is null and target.published_at < ${before}
      )
      select max(id) as last from seen`.execute(db);
    after = rows[0]?.last ?? null;
  }
}

/** No post is in doubt for as long as these ids are kept. */
export const pruneDeletedPosts = (db: Db, signal?: AbortSignal) =>
  deleteInBatches(
    (limit) =>
      sql`delete from deleted_posts where ctid = any (array(
        select ctid from deleted_posts where deleted_at < now() - interval '7 days' limit ${limit}))`.execute(db),
    signal,
  );
