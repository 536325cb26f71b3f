import { CrierError } from '@crier/client';
import type { QueryClient } from '@tanstack/react-query';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';
import type { Retried } from './attention.ts';

/** One after the other, so that they are published in this order. */
export async function retryAll(client: QueryClient, posts: readonly Pick<PostSummary, 'postGroupId'>[]) {
  const result: Retried = { retried: 0, refused: 0 };
  try {
    for (const { postGroupId } of posts) {
      try {
        await postsApi.retryPost(postGroupId);
        result.retried += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        result.refused += 1;
      }
    }
  } finally {
    await Promise.all([keys.posts, keys.attention].map((queryKey) => client.invalidateQueries({ queryKey })));
  }
  return result;
}

/** This post alone can't be retried, or was deleted meanwhile. */
const isRefusal = (error: unknown) => error instanceof CrierError && (error.status === 409 || error.status === 404);
