import type { StoredGroup, StoredPost } from './queries.ts';
import type { PostGroup } from './schema.ts';

/** A post group as get-post shows it: every key of the contract, nothing of ours. */
export function presentPostGroup(group: StoredGroup): PostGroup {
  return {
    success: true,
    postGroupId: group.id,
    status: group.status,
    scheduledTime: group.scheduled_at?.toISOString() ?? null,
    platforms: group.posts.map(({ platform, account_id }) => `${platform}-${account_id}`),
    platformSettings: group.platform_settings as PostGroup['platformSettings'],
    firstComment: null,
    firstComments: [],
    posts: group.posts.map(presentPlatformPost),
    media: [],
  };
}

const presentPlatformPost = (post: StoredPost): PostGroup['posts'][number] => ({
  _id: post.id,
  platform: post.platform,
  platformId: post.account_id,
  content: post.content,
  status: post.status,
  postedId: post.posted_id,
  permalink: post.permalink,
  isThread: false,
  threadParts: [],
  ...(post.error && { error: post.error }),
  firstCommentResult: null,
  firstCommentResults: [],
});
