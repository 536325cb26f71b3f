import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import type { StepRecord } from '../platforms/kit/steps.ts';
import type { PublishError } from './failures.ts';

export interface Dispatched {
  dispatched: number;
  broken: { id: string; version: number }[];
}

/**
 * Hands due groups to the publishers: targets become `pending` and join the lanes of their connections. Gives back how
 * many, and those that cannot go out as they are: a connection is gone, or the targets do not fit the group.
 */
export async function dispatchDue(db: Db, now: Date, limit: number): Promise<Dispatched> {
  const { rows } = await sql<Dispatched>`
    with seen as materialized (
      select id, version, target_count <> (
        select count(*) from platform_posts
        where post_group_id = post_groups.id and status = 'scheduled' and connection_id is not null
      ) or target_count = 0 as broken
      from post_groups
      where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}
      order by scheduled_at limit ${limit}
    ),
    -- One that is edited in this very moment waits for the next look: this statement would not see its new targets.
    due as (
      select post_groups.id from post_groups join seen on seen.id = post_groups.id and seen.version = post_groups.version
      where processing_status = 'pending' and not broken
      for update of post_groups skip locked
    ),
    taken as (
      update post_groups set processing_status = 'processing', updated_at = ${now}
      from due where post_groups.id = due.id
      returning post_groups.id, post_groups.scheduled_at
    ),
    pending as (
      update platform_posts set status = 'pending', run_at = taken.scheduled_at, updated_at = ${now}
      from taken where platform_posts.post_group_id = taken.id and platform_posts.status = 'scheduled'
      returning platform_posts.connection_id, platform_posts.run_at
    ),
    joined as (
      insert into publish_lanes (connection_id, run_at)
      select connection_id, min(run_at) from pending group by connection_id
      on conflict (connection_id) do update
        set run_at = least(publish_lanes.run_at, excluded.run_at), version = publish_lanes.version + 1
    )
    select count(*)::int as dispatched, coalesce((select json_agg(json_build_object('id', id, 'version', version)) from seen where broken), '[]') as broken
    from taken`.execute(db);
  return rows[0]!;
}

export const wakePublishers = (db: Db) => sql`select pg_notify('lane_ready', '')`.execute(db);

export async function nextDueTime(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(scheduled_at) as next from post_groups where status = 'scheduled' and processing_status = 'pending'`.execute(
    db,
  );
  return rows[0]!.next;
}

/** Takes waiting lanes for this worker, the longest waiting first. */
export async function claimLanes(db: Db, worker: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ connection_id: string }>`
    update publish_lanes set worker = ${worker}
    where connection_id in (
      select connection_id from publish_lanes where worker is null and run_at <= ${now}
      order by run_at limit ${limit} for update skip locked
    )
    returning connection_id`.execute(db);
  return rows.map(({ connection_id }) => connection_id);
}

/**
 * Leaves a lane until its next post wants to run. A post that joins in this very moment is not seen by the inner query,
 * but raises the version: then the lane stays due.
 */
export const leaveLane = (db: Db, worker: string, connectionId: string, now: Date) =>
  sql`
    with seen as materialized (
      select version, (
        select greatest(min(run_at), max(connections.cool_down_until))
        from platform_posts join connections on connections.id = platform_posts.connection_id
        where connection_id = ${connectionId} and status in ('pending', 'processing')
      ) as next
      from publish_lanes where connection_id = ${connectionId}
    )
    update publish_lanes
    set worker = null, run_at = case when publish_lanes.version = seen.version then seen.next else ${now}::timestamptz end
    from seen where connection_id = ${connectionId} and worker = ${worker}`.execute(db);

export async function nextLaneTime(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(run_at) as next from publish_lanes where worker is null and run_at is not null`.execute(db);
  return rows[0]!.next;
}

export interface ClaimedPost {
  id: string;
  groupId: string;
  userId: string;
  platform: string;
  content: string;
  settings: Json;
  attempts: number;
  rateLimitedSince: Date | null;
  dueAt: Date;
  connection: {
    id: string;
    accountId: string;
    handle: string;
    displayName: string;
    avatarUrl: string | null;
    profileUrl: string | null;
    traits: { [name: string]: Json };
    credentials: string;
  };
}

/** Takes the lane's next post under a fresh token. Fails softly if the lane is no longer ours or is cooling down. */
export async function claimPost(
  db: Db,
  claim: { worker: string; connectionId: string; token: string; logIds: readonly [string, string]; now: Date },
): Promise<ClaimedPost | null> {
  const { rows } = await sql<ClaimedPost>`
    with claimed as (
      update platform_posts set status = 'processing', claim_token = ${claim.token}, updated_at = ${claim.now}
      where id = (
        select id from platform_posts
        where connection_id = ${claim.connectionId} and status in ('pending', 'processing') and run_at <= ${claim.now}
        order by run_at, id limit 1
      )
      and exists (select from publish_lanes where connection_id = ${claim.connectionId} and worker = ${claim.worker})
      and not exists (select from connections where id = ${claim.connectionId} and cool_down_until > ${claim.now})
      returning *
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, retry_count, created_at)
      select log.id, post_group_id, user_id, claimed.id, platform, log.event, nullif(attempts, 0), ${claim.now}::timestamptz
      from claimed, (values (${claim.logIds[0]}, 'processing'), (${claim.logIds[1]}, 'publish_attempted')) as log (id, event)
    )
    select claimed.id, claimed.post_group_id as "groupId", claimed.user_id as "userId", claimed.platform, claimed.content,
      coalesce(post_groups.platform_settings -> claimed.platform, '{}') as settings,
      claimed.attempts, claimed.rate_limited_since as "rateLimitedSince", post_groups.scheduled_at as "dueAt",
      json_build_object('id', connections.id, 'accountId', connections.account_id, 'handle', handle,
        'displayName', display_name, 'avatarUrl', avatar_url, 'profileUrl', profile_url, 'traits', traits,
        'credentials', credentials) as connection
    from claimed
    join post_groups on post_groups.id = claimed.post_group_id
    join connections on connections.id = claimed.connection_id`.execute(db);
  return rows[0] ?? null;
}

/** A post held under a token, and what its log row needs. */
interface Entry {
  id: string;
  token: string;
  now: Date;
  logId: string;
}

/** The network has it. Target, group, connection and log in one statement. False: the claim was lost, nothing written. */
export async function recordPublished(
  db: Db,
  held: Entry,
  remote: { id: string; url: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'published', posted_id = ${remote.id}, permalink = ${remote.url}, error = null,
        claim_token = null, run_at = null, published_at = ${held.now}, updated_at = ${held.now}
      where id = ${held.id} and claim_token = ${held.token}
      returning *
    ),
    rolled_up as (${rollUp('published', held.now)}),
    noted as (
      update connections set last_success_at = ${held.now}, cool_down_until = null
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, metadata, created_at)
      select ${held.logId}, post_group_id, user_id, id, platform, 'publish_succeeded',
        jsonb_build_object('postedId', posted_id), ${held.now}::timestamptz
      from ended
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** It is over, without success. `reconnect`: the network refused our credentials for good. */
export async function recordFailed(
  db: Db,
  held: Entry,
  failure: { error: PublishError; reconnect: boolean },
): Promise<boolean> {
  const { error, reconnect } = failure;
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'failed', error = ${JSON.stringify(error)}::jsonb,
        claim_token = null, run_at = null, updated_at = ${held.now}
      where id = ${held.id} and claim_token = ${held.token}
      returning *
    ),
    rolled_up as (${rollUp('failed', held.now)}),
    noted as (
      update connections
      set last_error = jsonb_build_object('message', ${error.message}::text, 'occurredAt', ${error.failedAt}::text),
        reconnect_required_at = case when ${reconnect} then ${held.now}::timestamptz else reconnect_required_at end
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs
        (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at)
      select ${held.logId}, post_group_id, user_id, id, platform, 'publish_failed', ${error.message}::text,
        ${error.platformStatusCode ?? null}::integer, nullif(attempts, 0),
        jsonb_build_object('errorCode', ${error.code}::text, 'retryable', ${error.retryable}::boolean), ${held.now}::timestamptz
      from ended
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** Comes back at `at`. A network that asked us to wait rests the whole connection. */
export async function recordRetry(
  db: Db,
  held: Entry,
  retry: { at: Date; counts: boolean; error: PublishError },
): Promise<boolean> {
  const { at, counts, error } = retry;
  const { rows } = await sql<{ recorded: boolean }>`
    with postponed as (
      update platform_posts set status = 'pending', claim_token = null, run_at = ${at}, updated_at = ${held.now},
        attempts = attempts + ${counts ? 1 : 0},
        rate_limited_since = case when ${counts} then null else coalesce(rate_limited_since, ${held.now}) end
      where id = ${held.id} and claim_token = ${held.token}
      returning *
    ),
    noted as (
      update connections
      set last_error = jsonb_build_object('message', ${error.message}::text, 'occurredAt', ${error.failedAt}::text),
        cool_down_until = case when ${counts} then cool_down_until else ${at}::timestamptz end
      from postponed where connections.id = postponed.connection_id
    ),
    logged as (
      insert into post_logs
        (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at)
      select ${held.logId}, post_group_id, user_id, id, platform, 'publish_retry', ${error.message}::text,
        ${error.platformStatusCode ?? null}::integer, attempts,
        jsonb_build_object('nextAttemptAt', ${at.toISOString()}::text, 'errorCode', ${error.code}::text), ${held.now}::timestamptz
      from postponed
    )
    select exists (select from postponed) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** The network is still at work on it: the run ends, the post stays `processing` and comes back at `at`. */
export const recordWaiting = (db: Db, held: Entry, at: Date) =>
  sql`update platform_posts set claim_token = null, run_at = ${at}, updated_at = ${held.now}
    where id = ${held.id} and claim_token = ${held.token}`.execute(db);

/**
 * Counts a target that ended, and ends the group with its last one. The counters are read from the newest version of the
 * row, under its lock, so that of two targets ending at once exactly one finds itself last.
 */
const rollUp = (outcome: 'published' | 'failed', now: Date) => {
  const published = sql`published_targets + ${outcome === 'published' ? 1 : 0}`;
  return sql`
    update post_groups set
      open_targets = open_targets - 1,
      published_targets = ${published},
      processing_status = case when open_targets = 1 then 'finished' else processing_status end,
      status = case
        when open_targets > 1 then post_groups.status
        when ${published} = target_count then 'published'
        when ${published} = 0 then 'failed'
        else 'partially_published'
      end,
      version = version + 1,
      updated_at = ${now}
    from ended where post_groups.id = ended.post_group_id`;
};

/** Notes that an effect is about to happen, unless it was noted before. Null: the claim was lost, so it must not. */
export async function beginStep(
  db: Db,
  held: { id: string; token: string },
  name: string,
  now: Date,
): Promise<StepRecord | 'new' | null> {
  const { rows } = await sql<{ fresh: boolean; startedAt: Date; ended: boolean; result: Json }>`
    with holder as (select id from platform_posts where id = ${held.id} and claim_token = ${held.token} for share),
    begun as (
      insert into publish_steps (platform_post_id, name, started_at)
      select id, ${name}, ${now}::timestamptz from holder
      on conflict do nothing
      returning started_at
    )
    select true as fresh, started_at as "startedAt", false as ended, null::jsonb as result from begun
    union all
    select false, started_at, ended_at is not null, result
    from publish_steps join holder on holder.id = platform_post_id
    where name = ${name} and not exists (select from begun)`.execute(db);
  const [row] = rows;
  if (!row) return null;
  if (row.fresh) return 'new';
  const { startedAt, ended, result } = row;
  return ended ? { startedAt, ended, result } : { startedAt, ended: false };
}

/** A result is a fact, so it is kept whoever learnt it; the answer says whether the claim still holds. */
export async function finishStep(db: Db, held: { id: string; token: string }, name: string, result: Json, now: Date) {
  const { rows } = await sql<{ held: boolean }>`
    with ended as (
      update publish_steps set ended_at = ${now}, result = ${JSON.stringify(result)}::jsonb
      where platform_post_id = ${held.id} and name = ${name} and ended_at is null
    )
    select exists (select from platform_posts where id = ${held.id} and claim_token = ${held.token}) as held`.execute(
    db,
  );
  return rows[0]!.held;
}

export async function forgetStep(db: Db, held: { id: string; token: string }, name: string) {
  const { numAffectedRows } = await sql`
    delete from publish_steps where platform_post_id = ${held.id} and name = ${name} and ended_at is null
      and exists (select from platform_posts where id = ${held.id} and claim_token = ${held.token})`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether an effect began of which nobody knows if it happened. */
export async function hasOpenStep(db: Db, platformPostId: string): Promise<boolean> {
  const open = await db
    .selectFrom('publish_steps')
    .select('name')
    .where('platform_post_id', '=', platformPostId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * A sign of life, by the database's clock, and what follows from others' silence: the lanes of workers not seen for a
 * while are free again, and so are lanes that the database says are ours and we do not run (an answer got lost).
 */
export async function beat(
  db: Db,
  worker: { id: string; lanes: string[]; dispatchedAt: Date | null },
  silentSeconds: number,
): Promise<number> {
  const { rows } = await sql<{ freed: number }>`
    with alive as (
      insert into workers (id, dispatched_at) values (${worker.id}, ${worker.dispatchedAt})
      on conflict (id) do update set seen_at = now(), dispatched_at = excluded.dispatched_at
    ),
    dead as (
      delete from workers where id <> ${worker.id} and seen_at < now() - make_interval(secs => ${silentSeconds})
      returning id
    ),
    freed as (
      update publish_lanes set worker = null
      where worker = ${worker.id} and connection_id <> all (${worker.lanes}::text[])
        or worker in (select id from dead)
        or worker is not null and worker <> ${worker.id} and worker not in (select id from workers)
      returning 1
    )
    select count(*)::int as freed from freed`.execute(db);
  return rows[0]!.freed;
}

/** The worker leaves: its lanes are free at once, not only when its silence is noticed. */
export const leave = (db: Db, worker: string) =>
  sql`
    with gone as (delete from workers where id = ${worker})
    update publish_lanes set worker = null where worker = ${worker}`.execute(db);
