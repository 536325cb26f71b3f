import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name);
}

export interface WorkState {
  /** Since any worker last looked for due groups; null if none lives. */
  dispatchedSecondsAgo: number | null;
  /** How long the oldest post that should have left is waiting; null if none is. */
  overdueSeconds: number | null;
  waitingLanes: number;
  runningLanes: number;
}

/** Reads only what small partial indexes hold: a scrape costs the same with a million scheduled groups. */
export async function workState(db: Db, now: Date): Promise<WorkState> {
  const { rows } = await sql<WorkState>`
    select
      (select extract(epoch from ${now}::timestamptz - max(dispatched_at))::float8 from workers) as "dispatchedSecondsAgo",
      extract(epoch from ${now}::timestamptz - least(
        (select min(scheduled_at) from post_groups
          where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}),
        (select min(run_at) from publish_lanes where worker is null and run_at <= ${now})
      ))::float8 as "overdueSeconds",
      (select count(*)::int from publish_lanes where worker is null and run_at is not null) as "waitingLanes",
      (select count(*)::int from publish_lanes where worker is not null) as "runningLanes"`.execute(db);
  return rows[0]!;
}
