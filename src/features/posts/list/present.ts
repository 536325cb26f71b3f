import type { App } from '../../../app.ts';
import { mediaUrl, presentMedia } from '../../files/files.ts';
import type { LogRow, StoredGroup, StoredPost } from '../read-queries.ts';
import type { CompactPostGroup, ListedPostGroup, PostGroup, PostLog } from '../schema.ts';
import type { CompactGroup, ListedGroup } from './queries.ts';

/** Converts rows to the API's format, with exactly the keys of the contract. */

export function presentPostGroup(app: Pick<App, 'storage'>, group: StoredGroup): PostGroup {
  return {
    success: true,
    postGroupId: group.id,
    status: group.status,
    scheduledTime: group.scheduled_at?.toISOString() ?? null,
    platforms: group.posts.map(compoundId),
    platformSettings: group.platform_settings,
    firstComment: group.first_comments[0] ?? null,
    firstComments: group.first_comments,
    posts: group.posts.map(presentPlatformPost),
    media: group.media.map((file) => presentMedia(app, file)),
    ...shownLabels(group),
  };
}

/** An addition to the contract, so posts without labels omit the field. */
const shownLabels = ({ labels }: Pick<StoredGroup, 'labels'>) => (labels.length > 0 ? { labels } : {});

const presentPlatformPost = (post: StoredPost): PostGroup['posts'][number] => ({
  _id: post.id,
  platform: post.platform,
  platformId: post.account_id,
  content: post.content,
  status: post.status,
  postedId: post.posted_id,
  permalink: post.permalink,
  isThread: post.thread_parts.length > 1,
  threadParts: post.thread_parts,
  ...(post.media_ids && { mediaIds: [...post.media_ids] }),
  ...errorOf(post),
  firstCommentResult: post.first_comment_results[0] ?? null,
  firstCommentResults: post.first_comment_results,
});

/** A post that is being retried has no `error` yet, because it may still be published. */
function errorOf({ status, error, run_at, pause }: StoredPost): Pick<PostGroup['posts'][number], 'error' | 'retry'> {
  if (status === 'failed') return error ? { error } : {};
  if (pause) return { retry: { error: error ?? pauseError(pause), nextAttemptAt: atLeast(run_at, pause.until) } };
  if (!error) return {};
  return { retry: { error, nextAttemptAt: run_at && new Date(run_at).toISOString() } };
}

/** A post that has not been attempted yet waits with the other posts of its connection. */
const pauseError = ({ message, since }: NonNullable<StoredPost['pause']>) => ({
  code: 'RATE_LIMITED',
  message,
  platformError: null,
  failedAt: since,
  retryable: true,
});

const atLeast = (time: string | null, until: string) =>
  new Date(Math.max(Date.parse(time ?? until), Date.parse(until))).toISOString();

export const presentListedGroup = (app: Pick<App, 'storage'>, group: ListedGroup): ListedPostGroup => ({
  postGroupId: group.id,
  content: group.content,
  status: group.status,
  scheduledTime: group.scheduled_at?.toISOString() ?? null,
  createdAt: group.created_at.toISOString(),
  updatedAt: group.updated_at.toISOString(),
  platforms: group.posts.map((post) => ({
    platformId: compoundId(post),
    platform: post.platform,
    status: post.status,
  })),
  posts: group.posts.map((post) => ({
    _id: post.id,
    platform: post.platform,
    platformId: compoundId(post),
    status: post.status,
    postedId: post.posted_id,
    permalink: post.permalink,
  })),
  mediaUrls: group.storage_keys.map((key) => app.storage.publicUrl(key)),
  ...shownLabels(group),
});

export const presentCompactGroup = (app: Pick<App, 'storage'>, group: CompactGroup): CompactPostGroup => ({
  postGroupId: group.id,
  content: group.content,
  status: group.status,
  scheduledTime: group.scheduled_at?.toISOString() ?? null,
  createdAt: group.created_at.toISOString(),
  updatedAt: group.updated_at.toISOString(),
  platforms: group.posts.map((post) => ({
    platformId: compoundId(post),
    platform: post.platform,
    status: post.status,
    publishedAt: post.published_at && new Date(post.published_at).toISOString(),
    ...(post.failure && { error: post.failure }),
    ...(post.retryable && { retryable: true }),
  })),
  thumbnail: thumbnailOf(app, group.media),
  version: group.version,
  ...shownLabels(group),
});

function thumbnailOf(app: Pick<App, 'storage'>, [file]: CompactGroup['media']): CompactPostGroup['thumbnail'] {
  const url = file && mediaUrl(app, file);
  return file?.type && url ? { type: file.type, url } : null;
}

/** Fields without a value are omitted instead of null. */
export const presentLog = (log: LogRow): PostLog => ({
  _id: log.id,
  postGroupId: log.post_group_id,
  ...(log.platform_post_id && { postId: log.platform_post_id }),
  ...(log.platform && { platform: log.platform }),
  event: log.event,
  ...(log.error && { error: log.error }),
  ...(log.http_status !== null && { httpStatus: log.http_status }),
  ...(log.retry_count !== null && { retryCount: log.retry_count }),
  ...(log.metadata !== null && { metadata: log.metadata as PostLog['metadata'] }),
  createdAt: log.created_at.toISOString(),
  updatedAt: log.created_at.toISOString(),
});

const compoundId = ({ platform, account_id }: Pick<StoredPost, 'platform' | 'account_id'>) =>
  `${platform}-${account_id}`;
