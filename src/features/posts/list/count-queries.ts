import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** The user's groups by status and platforms, in rows whose `posts` must be added up. */
export const countedPosts = (userId: string): RawBuilder<unknown> => sql`
  select status, platforms, posts from post_counts where user_id = ${userId}
  union all
  select status, platforms, change from post_count_changes where user_id = ${userId}`;

const maxFolded = 5_000;

/** Folds changes into the counts, so that few rows must be added up. Several processes may do this concurrently. */
export async function foldCounts(db: Db, signal: AbortSignal) {
  while (!signal.aborted && (await foldSome(db, maxFolded)) === maxFolded);
}

/**
 * One statement, so a reader sees each change exactly once, either here or there. It does not wait for writers and
 * skips the changes of a user who is being deleted.
 */
async function foldSome(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with batch as materialized (
      select ctid as place, user_id from post_count_changes limit ${limit} for update skip locked
    ),
    owner as materialized (
      select id from users where id in (select user_id from batch) for key share skip locked
    ),
    taken as (
      delete from post_count_changes using batch, owner
      where post_count_changes.ctid = place and batch.user_id = owner.id
      returning post_count_changes.*
    ),
    folded as (
      insert into post_counts as counted (user_id, status, platforms, posts)
      select user_id, status, platforms, sum(change) from taken
      group by user_id, status, platforms having sum(change) <> 0
      -- The same order in every statement prevents deadlocks.
      order by user_id collate "C", status collate "C", platforms collate "C"
      on conflict (user_id, status, platforms) do update set posts = counted.posts + excluded.posts
    )
    select count(*)::int as folded from taken`.execute(db);
  return rows[0]!.folded;
}
