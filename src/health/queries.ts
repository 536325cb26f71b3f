import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name);
}

export interface FailingTask {
  name: string;
  consecutiveFailures: number;
}

const dayMs = 86_400_000;

/** A failing task is retried every few minutes. If it has not failed for a day, no running version knows it any more. */
export async function selectFailingTasks(db: Db, minFailures: number, now: Date): Promise<FailingTask[]> {
  return db
    .selectFrom('periodic_tasks')
    .select(['name', 'consecutive_failures as consecutiveFailures'])
    .where('consecutive_failures', '>=', minFailures)
    .where('last_failed_at', '>', new Date(now.getTime() - dayMs))
    .orderBy('name')
    .execute();
}

export interface WorkState {
  /**
   * The time since the worker of this process last looked for due groups. If this process has no worker, that of any worker
   * counts; null if there is none.
   */
  dispatchedSecondsAgo: number | null;
  /** How long the oldest overdue post has been waiting; null if none is overdue. */
  overdueSeconds: number | null;
  /** How long the longest of the current attempts has been running; null if there is none. */
  runningSeconds: number | null;
  waitingLanes: number;
  runningLanes: number;
}

/** Reads small partial indexes only, so a scrape costs the same with a million scheduled groups. */
export async function workState(db: Db, workerId: string, now: Date): Promise<WorkState> {
  const { rows } = await sql<WorkState>`
    select
      (select extract(epoch from ${now}::timestamptz - case when bool_or(id = ${workerId})
          then max(dispatched_at) filter (where id = ${workerId}) else max(dispatched_at) end)::float8
        from workers) as "dispatchedSecondsAgo",
      extract(epoch from ${now}::timestamptz - least(
        (select min(scheduled_at) from post_groups
          where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}
            -- Their posts wait, and nobody has to do anything.
            and user_id not in (select id from closed_users() as closed (id))),
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
