import { sql } from 'kysely';
import { commentsSkipped } from '../connections/connections.ts';
import type { Db } from '../db/database.ts';
import { postLogEvents, webhookEvents } from '../events/catalogue.ts';
import { storable, storableJson } from '../lib/storable.ts';
import type { RemotePost } from '../platforms/kit/index.ts';
import type { ThreadPart } from '../posts/thread-part.ts';
import type { CommentPlan } from './comment-plan.ts';
import type { PublishError } from './failures.ts';
import { type LockTimeout, longLockTimeout } from './lock-timeout.ts';

/** A post held under a token, and what its log row and event need. */
interface Entry {
  id: string;
  token: string;
  now: Date;
  logId: string;
}
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
}

/**
 * The network has them. Targets, groups, connections, log and events in one statement. False: the claim was lost. Whoever
 * locks several rows does so in one order, targets before their groups: nobody waits for somebody who waits for him.
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
        ${posts.map(({ comments }) => comments.runAt)}::timestamptz[])
        as outcome (id, token, at, log_id, log_metadata, event_id, event_body, remote_id, remote_url, parts, comments,
          next_run_at), ${lockTimeout}
    ),
    locked as materialized (
      select outcome.* from platform_posts join outcome on outcome.id = platform_posts.id and claim_token = token
      order by platform_posts.id for update of platform_posts
    ),
    ended as (
      update platform_posts set status = 'published', posted_id = remote_id, permalink = remote_url, error = null,
        thread_parts = parts, first_comment_results = comments, run_at = next_run_at, claim_token = null,
        published_at = at, updated_at = at
      from locked where platform_posts.id = locked.id and claim_token = token
      returning platform_posts.*, at, log_id, log_metadata, event_id, event_body
    ),
    ${rollUp('published')},
    noted as (
      update connections set last_success_at = at, cool_down_until = null, reconnect_required_at = null
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

/** It is over, without success. `reconnect`: the network refused our credentials for good. */
export async function recordFailed(
  db: Db,
  held: Ending,
  failure: { error: PublishError; reconnect: boolean; threadParts: ThreadPart[] | null; head: RemotePost | null },
): Promise<boolean> {
  const { error, reconnect, threadParts, head } = failure;
  const { code, message, failedAt, retryable } = error;
  const log = postLogEvents.publishFailed.entry({ errorCode: code, retryable });
  const about = { postId: held.id, postGroupId: held.groupId, platform: held.platform };
  const event = webhookEvents.postFailed.emit({ ...about, error: { code, message }, failedAt }, held.now);
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'failed', error = ${storableJson(error)}::jsonb,
        thread_parts = ${threadParts ? sql`${storableJson(threadParts)}::jsonb` : sql`thread_parts`},
        posted_id = ${head?.id ?? null}, permalink = ${head?.url ?? null},
        claim_token = null, run_at = null, updated_at = ${held.now}
      where id = ${held.id} and claim_token = ${held.token}
      returning *, updated_at as at
    ),
    ${rollUp('failed')},
    noted as (
      update connections
      set last_error = jsonb_build_object('message', ${message}::text, 'occurredAt', ${failedAt}::text),
        reconnect_required_at = case when ${reconnect} then ${held.now}::timestamptz else reconnect_required_at end
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs
        (id, post_group_id, user_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at)
      select ${held.logId}, post_group_id, user_id, id, platform, ${log.event}, ${message}::text,
        ${error.platformStatusCode ?? null}::integer, nullif(attempts, 0), ${log.metadata}::jsonb, ${held.now}::timestamptz
      from ended
    ),
    emitted as (
      insert into events (id, user_id, type, post_group_id, body, created_at)
      select ${held.eventId}, user_id, ${event.type}, post_group_id, ${event.body}, ${held.now}::timestamptz from ended
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
  const log = postLogEvents.publishRetry.entry({ nextAttemptAt: at.toISOString(), errorCode: error.code });
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
      select ${held.logId}, post_group_id, user_id, id, platform, ${log.event}, ${error.message}::text,
        ${error.platformStatusCode ?? null}::integer, attempts, ${log.metadata}::jsonb, ${held.now}::timestamptz
      from postponed
    )
    select exists (select from postponed) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** The network is still at work on it: the run ends, the post stays `processing` and comes back at `at`. */
export const recordWaiting = (db: Db, held: Omit<Entry, 'logId'>, at: Date) =>
  sql`update platform_posts set claim_token = null, run_at = ${at}, updated_at = ${held.now}
    where id = ${held.id} and claim_token = ${held.token}`.execute(db);

/** What became of a comment, and when the next is wanted. `restUntil`: the network asked the whole connection to wait. */
export async function recordComment(
  db: Db,
  held: { id: string; token: string; now: Date },
  { results, runAt, restUntil }: CommentPlan & { restUntil?: Date | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set first_comment_results = ${storableJson(results)}::jsonb, run_at = ${runAt},
        claim_token = null, updated_at = ${held.now}
      where id = ${held.id} and claim_token = ${held.token}
      returning connection_id
    ),
    rested as (
      update connections set cool_down_until = ${restUntil ?? null}
      from ended where connections.id = ended.connection_id and ${restUntil ?? null}::timestamptz is not null
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

interface DisconnectedPost {
  id: string;
  groupId: string;
  platform: string;
  isPublished: boolean;
}

/** Targets whose account was disconnected in the middle: nobody comes back for them, nor for their comments. */
export async function selectDisconnectedPosts(db: Db): Promise<DisconnectedPost[]> {
  const { rows } = await sql<DisconnectedPost>`
    select id, post_group_id as "groupId", platform, status = 'published' as "isPublished" from platform_posts
    where connection_id is null and run_at is not null limit 100`.execute(db);
  return rows;
}

/** As disconnecting does for posts that are out by then. */
export const skipComments = (db: Db, id: string) =>
  sql`
    update platform_posts set run_at = null, first_comment_results = ${commentsSkipped}
    where id = ${id} and connection_id is null and status = 'published'`.execute(db);

/** Takes one of them under a token, so that it can be ended like any other. */
export async function claimDisconnectedPost(db: Db, id: string, token: string): Promise<boolean> {
  const { rows } = await sql`
    update platform_posts set claim_token = ${token}
    where id = ${id} and connection_id is null and status in ('pending', 'processing') returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * Counts targets that ended, and ends the group with its last one. The counters are read from the newest version of the
 * row, under its lock, so that of two targets ending at once exactly one finds itself last.
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
