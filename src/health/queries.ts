import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name);
}

export interface WorkState {
  /** Since the worker of this process last looked for due groups; of any, if this process has none; null if none lives. */
  dispatchedSecondsAgo: number | null;
  /** How long the oldest post that should have left is waiting; null if none is. */
  overdueSeconds: number | null;
  /** How long the longest of the runs at a post has been going on; null if there is none. */
  runningSeconds: number | null;
  waitingLanes: number;
  runningLanes: number;
}

/** Reads only what small partial indexes hold: a scrape costs the same with a million scheduled groups. */
export async function workState(db: Db, workerId: string, now: Date): Promise<WorkState> {
  const { rows } = await sql<WorkState>`
    select
      (select extract(epoch from ${now}::timestamptz - case when bool_or(id = ${workerId})
          then max(dispatched_at) filter (where id = ${workerId}) else max(dispatched_at) end)::float8
        from workers) as "dispatchedSecondsAgo",
      extract(epoch from ${now}::timestamptz - least(
        (select min(scheduled_at) from post_groups
          where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}),
        (select min(run_at) from publish_lanes where worker is null and run_at <= ${now})
      ))::float8 as "overdueSeconds",
      (select extract(epoch from ${now}::timestamptz - min(updated_at))::float8
        from publish_lanes cross join lateral (
          select claim_token, platform_posts.updated_at from platform_posts
          where connection_id = publish_lanes.connection_id and platform_posts.run_at <= ${now}
          order by platform_posts.run_at, platform_posts.id limit 1
        ) first
        where worker is not null and claim_token is not null) as "runningSeconds",
      (select count(*)::int from publish_lanes where worker is null and run_at is not null) as "waitingLanes",
      (select count(*)::int from publish_lanes where worker is not null) as "runningLanes"`.execute(db);
  return rows[0]!;
}
