import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { type LockTimeout, longLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import { postLogEvents, webhookEvents } from '../../../foundation/events/catalogue.ts';
import type { PostLogEntry } from '../../../foundation/events/define-event.ts';
import { storable, storableJson } from '../../../foundation/lib/storable.ts';
import type { PlatformError, PublishNote, RemotePost } from '../../../platforms/kit/index.ts';
import { noticeUnlessRecovered } from '../../connections/connections.ts';
import type { ThreadPart } from '../../posts/create/target-content.ts';
import type { CommentPlan } from '../comments/plan.ts';
import type { PublishError } from './failures.ts';
import type { EndedStep } from './step-queries.ts';

/** A claimed post with the data for its log entry. */
interface Entry {
  id: string;
  token: string;
  now: Date;
  logId: string;
}
/** An entry with the data for its event. */
interface Ending extends Entry {
  eventId: string;
  groupId: string;
  platform: string;
}

export interface Published extends Ending {
  accountId: string;
  remote: { id: string; url: string | null };
  threadParts: ThreadPart[];
  comments: CommentPlan;
  /** The step that published the post, if its result is not stored yet. */
  lastStep: EndedStep | null;
}

/**
 * Ends posts that the platform has accepted. Updates posts, groups, connections, log and events in one statement.
 * Returns false if the claim was lost; the result of the last step is stored nevertheless, as `finishSteps` would.
 * Every statement locks posts by id and before their groups, which prevents deadlocks.
 */
export async function recordPublished(
  db: Db,
  posts: readonly Published[],
  lockTimeout: LockTimeout = longLockTimeout,
): Promise<boolean[]> {
  const remoteIds = posts.map(({ remote }) => storable(remote.id));
  const logs = posts.map((_, index) => postLogEvents.publishSucceeded.entry({ postedId: remoteIds[index]! }));
  const { rows } = await sql<{ id: string }>`
    with outcome as (
      select * from unnest(${posts.map(({ id }) => id)}::text[], ${posts.map(({ token }) => token)}::text[],
        ${posts.map(({ now }) => now)}::timestamptz[], ${posts.map(({ logId }) => logId)}::text[],
        ${logs.map(({ metadata }) => metadata)}::jsonb[], ${posts.map(({ eventId }) => eventId)}::text[],
        ${posts.map((post, index) => publishedEvent(post, remoteIds[index]!).body)}::text[],
        ${remoteIds}::text[], ${posts.map(({ remote }) => remote.url)}::text[],
        ${posts.map(({ threadParts }) => storableJson(threadParts))}::jsonb[],
        ${posts.map(({ comments }) => storableJson(comments.results))}::jsonb[],
        ${posts.map(({ comments }) => comments.runAt)}::timestamptz[],
        ${posts.map(({ lastStep }) => lastStep?.name ?? null)}::text[],
        ${posts.map(({ lastStep }) => lastStep && storableJson(lastStep.result))}::jsonb[],
        ${posts.map(({ lastStep }) => lastStep?.onlyIfClaimed ?? null)}::boolean[])
        as outcome (id, token, at, log_id, log_metadata, event_id, event_body, remote_id, remote_url, parts, comments,
          next_run_at, step_name, step_result, step_only_if_claimed), ${lockTimeout}
    ),
    locked as materialized (
      select outcome.*, claim_token = token as claimed
      from platform_posts join outcome on outcome.id = platform_posts.id
      order by platform_posts.id for update of platform_posts
    ),
    last_steps as (
      update publish_steps set ended_at = at, result = step_result
      from locked where platform_post_id = locked.id and publish_steps.name = step_name and ended_at is null
        and (claimed or not step_only_if_claimed)
      returning platform_post_id
    ),
    ended as (
      update platform_posts set status = 'published', posted_id = remote_id, permalink = remote_url, error = null,
        thread_parts = parts, first_comment_results = comments, run_at = next_run_at, claim_token = null,
        published_at = at, updated_at = at
      -- Joined so that a step ends before its post, also in traces.
      from locked left join last_steps on platform_post_id = locked.id
      where platform_posts.id = locked.id and claim_token = token
      returning platform_posts.*, at, log_id, log_metadata, event_id, event_body
    ),
    ${rollUp('published')},
    connection as (
      update connections set last_success_at = at, cool_down_until = null, reconnect_required_at = null,
        account_restricted = false, last_error = null, broken_notice_at = ${noticeUnlessRecovered}
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, metadata, created_at)
      select log_id, post_group_id, user_id, id, platform, ${postLogEvents.publishSucceeded.name}, log_metadata, at
      from ended
    ),
    emitted as (
      insert into events (id, user_id, type, post_group_id, body, created_at)
      select event_id, user_id, ${webhookEvents.postPublished.name}, post_group_id, event_body, at from ended
    )
    select id from ended`.execute(db);
  const recorded = new Set(rows.map(({ id }) => id));
  return posts.map(({ id }) => recorded.has(id));
}

/** Whether the outcome with this log entry was recorded. */
export async function isLogged(db: Db, logId: string): Promise<boolean> {
  const { rows } = await sql`select from post_logs where id = ${logId}`.execute(db);
  return rows.length > 0;
}

const publishedEvent = ({ id, groupId, platform, accountId, remote, now }: Published, postedId: string) =>
  webhookEvents.postPublished.emit(
    {
      postId: id,
      postGroupId: groupId,
      platform,
      platformId: accountId,
      postedId,
      permalink: remote.url,
      publishedAt: now.toISOString(),
    },
    now,
  );

/**
 * Ends a post without success. Set `reconnect` if the platform has definitely rejected the credentials or the
 * account.
 */
export async function recordFailed(
  db: Db,
  ending: Ending,
  failure: {
    error: PublishError;
    reconnect: 'credentials' | 'account' | null;
    threadParts: ThreadPart[] | null;
    head: RemotePost | null;
  },
): Promise<boolean> {
  const { error, reconnect, threadParts, head } = failure;
  const { code, message, failedAt, retryable } = error;
  const log = postLogEvents.publishFailed.entry({ errorCode: code, retryable });
  const about = { postId: ending.id, postGroupId: ending.groupId, platform: ending.platform };
  const event = webhookEvents.postFailed.emit({ ...about, error: { code, message }, failedAt }, ending.now);
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'failed', error = ${storableJson(error)}::jsonb,
        thread_parts = ${threadParts ? sql`${storableJson(threadParts)}::jsonb` : sql`thread_parts`},
        posted_id = ${head?.id ?? null}, permalink = ${head?.url ?? null},
        claim_token = null, run_at = null, updated_at = ${ending.now}
      where id = ${ending.id} and claim_token = ${ending.token}
      returning *, updated_at as at
    ),
    ${rollUp('failed')},
    connection as (
      update connections
      set last_error = jsonb_build_object('message', ${message}::text, 'occurredAt', ${failedAt}::text),
        reconnect_required_at =
          case when ${reconnect !== null} then ${ending.now}::timestamptz else reconnect_required_at end,
        account_restricted = case when ${reconnect !== null} then ${reconnect === 'account'} else account_restricted end
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs
        (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at)
      select ${ending.logId}, post_group_id, user_id, id, platform, ${log.event}, ${message}::text,
        ${error.platformStatusCode ?? null}::integer, nullif(attempts, 0), ${log.metadata}::jsonb, ${ending.now}::timestamptz
      from ended
    ),
    emitted as (
      insert into events (id, user_id, type, post_group_id, body, created_at)
      select ${ending.eventId}, user_id, ${event.type}, post_group_id, ${event.body}, ${ending.now}::timestamptz from ended
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/**
 * Schedules the next attempt for `at`. If the platform asked for the wait, the whole connection cools down, and the
 * post keeps its place ahead of posts that became due later.
 */
export async function recordRetry(
  db: Db,
  entry: Entry,
  retry: { at: Date; counts: boolean; error: PublishError },
): Promise<boolean> {
  const { at, counts, error } = retry;
  const log = postLogEvents.publishRetry.entry({ nextAttemptAt: at.toISOString(), errorCode: error.code });
  const { rows } = await sql<{ recorded: boolean }>`
    with postponed as (
      update platform_posts set status = 'pending', error = ${storableJson(error)}::jsonb, claim_token = null,
        run_at = ${counts ? at : sql`run_at`}, updated_at = ${entry.now}, attempts = attempts + ${counts ? 1 : 0},
        rate_limited_since = case when ${counts} then null else coalesce(rate_limited_since, ${entry.now}) end
      where id = ${entry.id} and claim_token = ${entry.token}
      returning *
    ),
    connection as (
      update connections
      set last_error = jsonb_build_object('message', ${error.message}::text, 'occurredAt', ${error.failedAt}::text),
        cool_down_until = case when ${counts} then cool_down_until else ${at}::timestamptz end
      from postponed where connections.id = postponed.connection_id
    ),
    logged as (
      insert into post_logs
        (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at)
      select ${entry.logId}, post_group_id, user_id, id, platform, ${log.event}, ${error.message}::text,
        ${error.platformStatusCode ?? null}::integer, attempts, ${log.metadata}::jsonb, ${entry.now}::timestamptz
      from postponed
    )
    select exists (select from postponed) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** The platform is still processing the post: the run ends, and the post stays `processing` and runs again at `at`. */
export const recordWaiting = (db: Db, claim: Omit<Entry, 'logId'>, at: Date) =>
  sql`update platform_posts set claim_token = null, run_at = ${at}, updated_at = ${claim.now}
    where id = ${claim.id} and claim_token = ${claim.token}`.execute(db);

/** Adds an entry to the log of a claimed post while it is being published. */
export async function recordNote(
  { db, newId, clock }: Pick<App, 'db' | 'newId' | 'clock'>,
  claim: { id: string; token: string },
  name: PublishNote | 'publishHeld',
  error?: PlatformError,
) {
  await sql`
    insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, created_at)
    select ${newId()}, post_group_id, user_id, id, platform, ${postLogEvents[name].name},
      ${error ? storable(error.message) : null}::text, ${error?.status ?? null}::integer, ${clock.now()}::timestamptz
    from platform_posts where id = ${claim.id} and claim_token = ${claim.token}`.execute(db);
}

/** The outcome of a comment, for the log of its post. */
export interface CommentLog extends PostLogEntry {
  id: string;
  error: string | null;
  httpStatus: number | null;
}

/**
 * Stores the state of the comments and when the next one is due. If the platform asked for it, the whole connection
 * cools down.
 */
export async function recordComment(
  db: Db,
  claim: { id: string; token: string; now: Date },
  { results, runAt, coolDownUntil = null }: CommentPlan & { coolDownUntil?: Date | null },
  log: CommentLog | null,
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set first_comment_results = ${storableJson(results)}::jsonb, run_at = ${runAt},
        claim_token = null, updated_at = ${claim.now}
      where id = ${claim.id} and claim_token = ${claim.token}
      returning id, post_group_id, user_id, platform, connection_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, metadata,
        created_at)
      select ${log?.id ?? null}, post_group_id, user_id, id, platform, ${log?.event ?? null}, ${log?.error ?? null}::text,
        ${log?.httpStatus ?? null}::integer, ${log?.metadata ?? null}::jsonb, ${claim.now}::timestamptz
      from ended where ${log !== null}
    ),
    cooled_down as (
      update connections set cool_down_until = ${coolDownUntil}
      from ended where connections.id = ended.connection_id and ${coolDownUntil}::timestamptz is not null
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/**
 * Counts ended posts, and ends the group with its last post. The counters are read under the row lock, so if two
 * posts end at the same time, exactly one of them is the last.
 */
const rollUp = (outcome: 'published' | 'failed') => {
  const published = outcome === 'published' ? sql`published_targets + ended` : sql`published_targets`;
  return sql`
    counted as (select post_group_id, count(*) as ended, max(at) as at from ended group by post_group_id),
    locked_groups as materialized (
      select counted.* from post_groups join counted on post_group_id = id order by id for no key update of post_groups
    ),
    rolled_up as (
      update post_groups set
        open_targets = open_targets - ended,
        published_targets = ${published},
        processing_status = case when open_targets = ended then 'finished' else processing_status end,
        status = case
          when open_targets > ended then post_groups.status
          when ${published} = target_count then 'published'
          when ${published} = 0 then 'failed'
          else 'partially_published'
        end,
        version = version + 1,
        updated_at = at
      from locked_groups where post_groups.id = post_group_id
    )`;
};
