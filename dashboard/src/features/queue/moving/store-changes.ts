import type { QueryClient } from '@tanstack/react-query';
import { showTimes } from '../../../lib/posts/move-posts.ts';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { TimeChange } from '../queue-days.ts';
import { type Failure, storeInOrder } from './store-in-order.ts';

/** Gives the posts their new times optimistically. Returns what failed, or the posts as they are now. */
export async function storeChanges(
  client: QueryClient,
  changes: readonly TimeChange[],
): Promise<{ failure: Failure } | { posts: PostSummary[] }> {
  // A response in flight has the old times.
  await client.cancelQueries({ queryKey: keys.posts });
  const moves = changes.map(({ post, to }) => ({ postGroupId: post.postGroupId, from: post.scheduledTime!, to }));
  showTimes(client, moves);
  const failure = await storeInOrder(changes, async ({ post, to }) => {
    await postsApi.reschedulePost(post.postGroupId, to, post.version);
  });
  await client.invalidateQueries({ queryKey: keys.posts });
  for (const { postGroupId } of moves) void client.invalidateQueries({ queryKey: keys.post(postGroupId) });
  return failure ? { failure } : { posts: changes.map(changed) };
}

const changed = ({ post, to }: TimeChange): PostSummary => ({
  ...post,
  scheduledTime: to,
  ...(post.version !== undefined && { version: post.version + 1 }),
});
