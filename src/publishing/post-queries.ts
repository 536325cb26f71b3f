import { sql } from 'kysely';
import type { StoredConnection } from '../connections/connections.ts';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import type { RemotePost } from '../platforms/kit/index.ts';
import type { FirstComment } from '../posts/first-comment-schema.ts';
import type { ThreadPart } from '../posts/thread-part.ts';
import type { CommentPlan, CommentResult } from './comment-plan.ts';
import type { PublishError } from './failures.ts';

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
  mediaIds: string[];
  threadParts: ThreadPart[];
  /** Set once it is published: then it is wanted for its next comment. */
  postedId: string | null;
  isPublished: boolean;
  firstComments: FirstComment[];
  commentResults: CommentResult[];
  /** When the network last told us about the account. */
  accountReadAt: Date;
  connection: StoredConnection;
}

/** Takes the lane's next post under a fresh token. Fails softly if the lane is no longer ours or is cooling down. */
export async function claimPost(
  db: Db,
  claim: { worker: string; connectionId: string; token: string; logIds: readonly [string, string]; now: Date },
): Promise<ClaimedPost | null> {
  const { rows } = await sql<ClaimedPost>`
    with claimed as (
      update platform_posts set status = case when status = 'published' then status else 'processing' end,
        claim_token = ${claim.token}, updated_at = ${claim.now}
      where id = (
        select id from platform_posts
        where connection_id = ${claim.connectionId} and run_at <= ${claim.now}
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
      where claimed.status = 'processing'
    )
    select claimed.id, claimed.post_group_id as "groupId", claimed.user_id as "userId", claimed.platform, claimed.content,
      coalesce(post_groups.platform_settings -> claimed.platform, '{}') as settings,
      claimed.attempts, claimed.rate_limited_since as "rateLimitedSince", post_groups.scheduled_at as "dueAt",
      post_groups.media_ids as "mediaIds", claimed.thread_parts as "threadParts", claimed.posted_id as "postedId",
      claimed.status = 'published' as "isPublished", post_groups.first_comments as "firstComments",
      claimed.first_comment_results as "commentResults",
      coalesce(connections.account_read_at, connections.created_at) as "accountReadAt", json_build_object('id', connections.id, 'userId', connections.user_id, 'platform', connections.platform,
        'accountId', connections.account_id, 'handle', handle, 'displayName', display_name, 'avatarUrl', avatar_url,
        'profileUrl', profile_url, 'traits', traits, 'credentials', credentials, 'expiresAt', expires_at) as connection
    from claimed
    join post_groups on post_groups.id = claimed.post_group_id
    join connections on connections.id = claimed.connection_id`.execute(db);
  return rows[0] ? { ...rows[0], connection: withDates(rows[0].connection) } : null;
}

/** JSON knows no dates. */
const withDates = (connection: StoredConnection): StoredConnection => ({
  ...connection,
  expiresAt: connection.expiresAt && new Date(connection.expiresAt),
});

/** A post held under a token, and what its log row and event need. */
interface Entry {
  id: string;
  token: string;
  now: Date;
  logId: string;
}
interface Ending extends Entry {
  eventId: string;
}

/** The network has it. Target, group, connection and log in one statement. False: the claim was lost, nothing written. */
export async function recordPublished(
  db: Db,
  held: Ending,
  remote: { id: string; url: string | null; threadParts: ThreadPart[]; comments: CommentPlan },
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'published', posted_id = ${remote.id}, permalink = ${remote.url}, error = null,
        thread_parts = ${JSON.stringify(remote.threadParts)}::jsonb,
        first_comment_results = ${JSON.stringify(remote.comments.results)}::jsonb, run_at = ${remote.comments.runAt},
        claim_token = null, published_at = ${held.now}, updated_at = ${held.now}
      where id = ${held.id} and claim_token = ${held.token}
      returning *
    ),
    rolled_up as (${rollUp('published', held.now)}),
    noted as (
      update connections set last_success_at = ${held.now}, cool_down_until = null, reconnect_required_at = null
      from ended where connections.id = ended.connection_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, metadata, created_at)
      select ${held.logId}, post_group_id, user_id, id, platform, 'publish_succeeded',
        jsonb_build_object('postedId', posted_id), ${held.now}::timestamptz
      from ended
    ),
    told as (
      insert into events (id, user_id, type, data, created_at)
      select ${held.eventId}, user_id, 'post.published', jsonb_build_object('postId', id, 'postGroupId', post_group_id,
        'platform', platform, 'platformId', account_id, 'postedId', posted_id, 'permalink', permalink,
        'publishedAt', ${held.now.toISOString()}::text), ${held.now}::timestamptz
      from ended
    )
    select exists (select from ended) as recorded`.execute(db);
  return rows[0]!.recorded;
}

/** It is over, without success. `reconnect`: the network refused our credentials for good. */
export async function recordFailed(
  db: Db,
  held: Ending,
  failure: { error: PublishError; reconnect: boolean; threadParts: ThreadPart[] | null; head: RemotePost | null },
): Promise<boolean> {
  const { error, reconnect, threadParts, head } = failure;
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set status = 'failed', error = ${JSON.stringify(error)}::jsonb,
        thread_parts = ${threadParts ? sql`${JSON.stringify(threadParts)}::jsonb` : sql`thread_parts`},
        posted_id = ${head?.id ?? null}, permalink = ${head?.url ?? null},
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
    ),
    told as (
      insert into events (id, user_id, type, data, created_at)
      select ${held.eventId}, user_id, 'post.failed', jsonb_build_object('postId', id, 'postGroupId', post_group_id,
        'platform', platform, 'error', jsonb_build_object('code', ${error.code}::text, 'message', ${error.message}::text),
        'failedAt', ${error.failedAt}::text), ${held.now}::timestamptz
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

/** What became of a comment, and when the next is wanted. `restUntil`: the network asked the whole connection to wait. */
export async function recordComment(
  db: Db,
  held: { id: string; token: string; now: Date },
  { results, runAt, restUntil }: CommentPlan & { restUntil?: Date | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    with ended as (
      update platform_posts set first_comment_results = ${JSON.stringify(results)}::jsonb, run_at = ${runAt},
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

/** Targets whose account was disconnected while they were being published: nobody comes back for them. */
export async function selectStranded(db: Db): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_posts where connection_id is null and status in ('pending', 'processing') limit 100`.execute(
    db,
  );
  return rows;
}

/** Takes one of them under a token, so that it can be ended like any other. */
export async function claimStranded(db: Db, id: string, token: string): Promise<boolean> {
  const { rows } = await sql`
    update platform_posts set claim_token = ${token}
    where id = ${id} and connection_id is null and status in ('pending', 'processing') returning 1`.execute(db);
  return rows.length > 0;
}

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
