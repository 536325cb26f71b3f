import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';
import type { ListedMedia } from '../files/files.ts';
import type { OwnFiles } from '../files/files-of-target.ts';
import type { ThreadPart } from './create/target-content.ts';
import type { FirstCommentResult } from './first-comment-schema.ts';

export interface StoredGroup {
  id: string;
  status: 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';
  scheduled_at: Date | null;
  platform_settings: Record<string, Json>;
  first_comments: { text: string; platforms?: string[]; delaySeconds?: number }[];
  posts: StoredPost[];
  /** In order. For a file that no longer exists, only the id is known. */
  media: ListedMedia[];
  labels: string[];
}
export interface StoredPost {
  id: string;
  platform: string;
  account_id: string;
  content: string;
  status: 'draft' | 'scheduled' | 'pending' | 'processing' | 'published' | 'failed';
  posted_id: string | null;
  permalink: string | null;
  thread_parts: ThreadPart[];
  media_ids: OwnFiles;
  /** For a failed post, the reason. For a post that is being retried, the error of the last attempt. */
  error: StoredError | null;
  /** When the next run is due, or null while one is running. A string, because it comes from JSON. */
  run_at: string | null;
  /** The platform has asked the whole connection to wait. */
  pause: { until: string; message: string; since: string } | null;
  first_comment_results: FirstCommentResult[];
}
export interface StoredError {
  code: string;
  message: string;
  platformStatusCode?: number;
  platformError: string | null;
  failedAt: string;
  retryable: boolean;
}

/**
 * A group with its posts, or `long` if their texts have more bytes than `maxBytes`. Each post is a separate row,
 * because a single value with all their texts would be parsed in one go.
 */
export async function findGroup(
  db: Db,
  userId: string,
  id: string,
  maxBytes: number | null,
): Promise<StoredGroup | 'long' | null> {
  const { rows } = await sql<Omit<StoredGroup, 'posts'> & { isLong: boolean; post: StoredPost | null }>`
    select post_groups.id, post_groups.status, scheduled_at, labels, size.bytes > ${maxBytes} is true as "isLong", to_json(post) as post,
      case when post.position is null or post.position = size.first then platform_settings end as platform_settings,
      case when post.position is null or post.position = size.first then first_comments end as first_comments,
      case when post.position is null or post.position = size.first then ${mediaOf(sql`post_groups.media_ids`)} end as media
    from post_groups
    cross join lateral (
      -- The size of a stored text is known without reading it.
      select sum(octet_length(content)) as bytes, min(position) as first from platform_posts
      where post_group_id = post_groups.id
    ) size
    left join lateral (${postsOf(sql`post_groups.id`)}) post on size.bytes > ${maxBytes} is not true
    where post_groups.id = ${id} and post_groups.user_id = ${userId}
    order by post.position`.execute(db);
  const [group] = rows;
  if (!group) return null;
  const { isLong, post: _, ...found } = group;
  return isLong ? 'long' : { ...found, posts: rows.flatMap(({ post }) => post ?? []) };
}

export interface LogRow {
  id: string;
  post_group_id: string;
  platform_post_id: string | null;
  platform: string | null;
  event: string;
  error: string | null;
  http_status: number | null;
  retry_count: number | null;
  metadata: Json;
  created_at: Date;
}

/** The newest entries after skipping `newer` of them, oldest first. Null if the user has no such group. */
export async function selectLogs(
  db: Db,
  userId: string,
  groupId: string,
  { since, limit, newer }: { since: Date; limit: number; newer: number },
): Promise<LogRow[] | null> {
  const { rows } = await sql<{ logs: (Omit<LogRow, 'created_at'> & { created_at: string })[] }>`
    select coalesce((
      select json_agg(log order by created_at, id) from (
        select id, post_group_id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at
        from post_logs where post_group_id = post_groups.id and created_at >= ${since}
        order by created_at desc, id desc limit ${limit} offset ${newer}
      ) log
    ), '[]') as logs
    from post_groups where id = ${groupId} and user_id = ${userId}`.execute(db);
  return rows[0]?.logs.map((log) => ({ ...log, created_at: new Date(log.created_at) })) ?? null;
}

/** Returns those posts of the list that exist. */
export async function selectPublished<T extends { platform: string; accountId: string; postedId: string }>(
  db: Db,
  userId: string,
  posts: readonly T[],
): Promise<T[]> {
  const { rows } = await sql<{ place: number }>`
    select place::int from unnest(
      ${posts.map(({ platform }) => platform)}::text[],
      ${posts.map(({ accountId }) => accountId)}::text[],
      ${posts.map(({ postedId }) => postedId)}::text[]
    ) with ordinality as wanted (platform, account_id, posted_id, place)
    where exists (
      select from platform_posts p
      where p.posted_id = wanted.posted_id and p.user_id = ${userId} and p.platform = wanted.platform
        and p.account_id = wanted.account_id and p.status = 'published'
    )
    order by place`.execute(db);
  return rows.map(({ place }) => posts[place - 1]!);
}

const postsOf = (groupId: RawBuilder<unknown>) => sql`
  select id, platform, account_id, content, status, posted_id, permalink, thread_parts, media_ids, error, first_comment_results, position,
    -- A platform that asks for a wait asks it of the whole connection.
    case when status = 'pending' then (
      select json_build_object('until', cool_down_until, 'message', last_error ->> 'message',
        'since', last_error ->> 'occurredAt')
      from connections where connections.id = connection_id and cool_down_until > now() and last_error is not null
    ) end as pause,
    case when claim_token is null then run_at end as run_at
  from platform_posts where post_group_id = ${groupId}`;

export const mediaOf = (mediaIds: RawBuilder<unknown>) => sql`
  coalesce((
    select json_agg(json_build_object('id', listed.id, 'type', media.type, 'mimeType', media.mime_type,
      'status', media.status, 'sourceFileName', media.source_file_name,
      'storageKey', coalesce(original.storage_key, media.storage_key), 'failureReason', media.failure_reason,
      'altText', media.alt_text, 'shared', coalesce(media.shared, true)) order by listed.place)
    from unnest(${mediaIds}) with ordinality as listed (id, place) left join media on media.id = listed.id
      left join media original on original.id = media.copy_of
  ), '[]')`;
