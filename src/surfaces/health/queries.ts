import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';

export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return rows.map(({ name }) => name);
}

export interface FailingTask {
  name: string;
  consecutiveFailures: number;
}

const dayMs = 86_400_000;

/** A failing task is retried every few minutes. If it has not failed for a day, no running version has it any more. */
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
   * The time since this process's worker last looked for due groups. If this process has no worker, any worker counts;
   * null if there is none.
   */
  dispatchedSecondsAgo: number | null;
  /** How long the oldest overdue post has been waiting; null if none is overdue. */
  overdueSeconds: number | null;
  /** How long the longest current attempt has been running; null if there is none. */
  runningSeconds: number | null;
  waitingLanes: number;
  runningLanes: number;
  /** Workers whose heartbeat is recent. */
  workers: number;
}

/** Reads only small partial indexes, so a scrape costs the same with a million scheduled groups. */
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
      (select count(*)::int from publish_lanes where worker is not null) as "runningLanes",
      (select count(*)::int from workers where seen_at > now() - interval '10 seconds') as workers`.execute(db);
  return rows[0]!;
}

export interface Backlog {
  work: string;
  count: number;
  /** 0 if none of it is due. */
  oldestSeconds: number;
}

/** Counting stops here, so that a scrape costs the same however much is waiting. */
const countedAtMost = sql.lit(10_000);

/** The order ensures that each list is read from its partial index, whatever the planner knows about the table. */
export async function selectBacklog(db: Db, now: Date): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    with waiting as (
      select work, at from (values ('post_groups'), ('targets'), ('webhook_deliveries'), ('mails')) as kinds (work)
      left join (
        (select 'post_groups' as kind, scheduled_at as at from post_groups
          where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}
            and user_id not in (select id from closed_users() as closed (id))
          order by scheduled_at limit ${countedAtMost})
        union all
        (select 'targets', run_at from platform_posts
          where run_at is not null order by connection_id, run_at limit ${countedAtMost})
        union all
        (select 'webhook_deliveries', run_at from webhook_deliveries
          where run_at is not null order by webhook_id, run_at limit ${countedAtMost})
        union all
        (select 'mails', next_attempt_at from mails
          where next_attempt_at <= ${now} order by next_attempt_at limit ${countedAtMost})
      ) listed on kind = work
    )
    select work, count(at)::int as count,
      greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(at)), 0))::float8 as "oldestSeconds"
    from waiting group by work order by work`.execute(db);
  return rows;
}

export interface BrokenConnections {
  platform: string;
  reason: 'reconnect' | 'restricted';
  count: number;
}

export async function selectBrokenConnections(db: Db): Promise<BrokenConnections[]> {
  const { rows } = await sql<BrokenConnections>`
    select platform, case when account_restricted then 'restricted' else 'reconnect' end as reason, count(*)::int as count
    from (
      select platform, account_restricted from connections where reconnect_required_at is not null
      order by platform, account_restricted limit ${countedAtMost}
    ) broken
    group by platform, account_restricted order by platform, account_restricted`.execute(db);
  return rows;
}
