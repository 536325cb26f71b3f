import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { type LockTimeout, longLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { OwnFiles } from '../../files/files-of-target.ts';
import type { ThreadPart } from '../../posts/create/target-content.ts';
import type { FirstComment } from '../../posts/first-comment-schema.ts';
import type { CommentResult } from '../comments/plan.ts';

export interface ClaimedPost {
  id: string;
  groupId: string;
  userId: string;
  platform: string;
  content: string;
  settings: Json;
  attempts: number;
  /** False for a post that is run again after waiting. */
  isFresh: boolean;
  /** The account is deactivated, so nothing may be sent. */
  isClosed: boolean;
  /** The platform has not been called for this post yet. */
  isFirstRun: boolean;
  rateLimitedSince: Date | null;
  dueAt: Date;
  /** The files of the group. */
  mediaIds: string[];
  ownMediaIds: OwnFiles;
  threadParts: ThreadPart[];
  postedId: string | null;
  /** The post is already published and is claimed for its next first comment. */
  isPublished: boolean;
  firstComments: FirstComment[];
  commentResults: CommentResult[];
  /** When the account was last fetched from the platform. */
  accountReadAt: Date;
  connection: StoredConnection;
}

/** A fencing token: only the run that holds it may write results. It names the worker (`workerOf`). */
export const newClaimToken = (worker: string) => `${worker}/${randomUUID()}`;
/** The worker whose run holds the claim on a post. As long as it sends heartbeats, that run may continue. */
export const workerOf = (claimToken: RawBuilder<unknown>) => sql`split_part(${claimToken}, '/', 1)`;

export interface ClaimRequest {
  worker: string;
  connectionId: string;
  token: string;
  logIds: readonly [processing: string, attempted: string];
  now: Date;
  /** Claims only posts of this group. Other posts of the lane wait. */
  onlyGroupId?: string | undefined;
}

/**
 * Claims the next post of each lane. Null if none is due, another worker has the lane, or the connection is cooling
 * down.
 */
export async function claimPosts(
  db: Db,
  claims: readonly ClaimRequest[],
  lockTimeout: LockTimeout = longLockTimeout,
): Promise<(ClaimedPost | null)[]> {
  // Added only where needed: the planner considers this condition so selective that it would read all due posts of a
  // lane.
  const inGroup = claims.some(({ onlyGroupId }) => onlyGroupId !== undefined)
    ? sql`and (only_group_id is null or post_group_id = only_group_id)`
    : sql``;
  const { rows } = await sql<ClaimedPost & { token: string }>`
    with wanted as (
      select * from unnest(${claims.map(({ connectionId }) => connectionId)}::text[],
        ${claims.map(({ worker }) => worker)}::text[], ${claims.map(({ token }) => token)}::text[],
        ${claims.map(({ now }) => now)}::timestamptz[], ${claims.map(({ logIds }) => logIds[0])}::text[],
        ${claims.map(({ logIds }) => logIds[1])}::text[], ${claims.map(({ onlyGroupId }) => onlyGroupId ?? null)}::text[])
        as claim (connection_id, worker, token, at, processing_id, attempted_id, only_group_id), ${lockTimeout}
    ),
    next as materialized (
      select wanted.*, post.id, post.is_fresh
      from wanted
      join publish_lanes on publish_lanes.connection_id = wanted.connection_id and publish_lanes.worker = wanted.worker
      join connections on connections.id = wanted.connection_id and coalesce(cool_down_until <= wanted.at, true)
      cross join lateral (
        -- A post that comes back while its platform still processes it is in the log already.
        select id, status = 'pending' or claim_token is not null as is_fresh from platform_posts
        where connection_id = wanted.connection_id and run_at <= wanted.at ${inGroup}
        order by run_at, id limit 1
      ) post
    ),
    locked as materialized (
      select next.* from platform_posts join next on next.id = platform_posts.id
      order by platform_posts.id for update of platform_posts
    ),
    claimed as (
      update platform_posts set status = case when status = 'published' then status else 'processing' end,
        claim_token = locked.token, updated_at = locked.at
      from locked
      -- Checked again under the lock: the post may have been moved, paused or disconnected meanwhile.
      where platform_posts.id = locked.id and platform_posts.connection_id = locked.connection_id and run_at <= locked.at
      returning platform_posts.*, locked.at, locked.is_fresh, locked.processing_id, locked.attempted_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, retry_count, created_at)
      select log.id, post_group_id, user_id, claimed.id, platform, log.event, nullif(attempts, 0), at
      from claimed, lateral (values
        (processing_id, ${postLogEvents.processing.name}), (attempted_id, ${postLogEvents.publishAttempted.name})
      ) as log (id, event)
      where claimed.status = 'processing' and is_fresh
    )
    select claimed.claim_token as token, is_fresh as "isFresh",
      claimed.user_id in (select id from closed_users() as closed (id)) as "isClosed",
      -- A post whose user asked to try it again has an error.
      is_fresh and attempts = 0 and rate_limited_since is null and claimed.error is null as "isFirstRun",
      claimed.id, claimed.post_group_id as "groupId", claimed.user_id as "userId", claimed.platform, claimed.content,
      coalesce(post_groups.platform_settings -> claimed.platform, '{}') as settings,
      claimed.attempts, claimed.rate_limited_since as "rateLimitedSince", post_groups.scheduled_at as "dueAt",
      post_groups.media_ids as "mediaIds", claimed.media_ids as "ownMediaIds", claimed.thread_parts as "threadParts", claimed.posted_id as "postedId",
      claimed.status = 'published' as "isPublished", post_groups.first_comments as "firstComments",
      claimed.first_comment_results as "commentResults",
      coalesce(connections.account_read_at, connections.created_at) as "accountReadAt",
      json_build_object('id', connections.id, 'userId', connections.user_id, 'platform', connections.platform,
        'accountId', connections.account_id, 'handle', handle, 'displayName', display_name, 'avatarUrl', avatar_url,
        'profileUrl', profile_url, 'traits', traits, 'credentials', credentials, 'expiresAt', expires_at) as connection
    from claimed
    join post_groups on post_groups.id = claimed.post_group_id
    join connections on connections.id = claimed.connection_id`.execute(db);
  const byToken = new Map(
    rows.map(({ token, ...post }) => [token, { ...post, connection: withDates(post.connection) }]),
  );
  return claims.map(({ token }) => byToken.get(token) ?? null);
}

/** `json_build_object` turns dates into strings. */
const withDates = (connection: StoredConnection): StoredConnection => ({
  ...connection,
  expiresAt: connection.expiresAt && new Date(connection.expiresAt),
});
