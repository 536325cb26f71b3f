import { queryOptions } from '@tanstack/react-query';
import { ownAndBrands } from '../../lib/brands/own-and-brands.ts';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';

const failedWithinMs = 7 * 86_400_000;
export const maxFailed = 100;
/** Counting for all channels takes one request, and ends here. */
const maxCounted = 500;

/** Posts that failed in the last week, earliest first: the order in which to retry them. */
export const failedPostsQuery = queryOptions({
  queryKey: [...keys.attention, 'failed'],
  queryFn: async ({ client, signal }) => {
    const from = new Date(Date.now() - failedWithinMs).toISOString();
    const input = { status: 'failed,partially_published', from, sortOrder: 'asc', limit: maxFailed } as const;
    return (await postsApi.listCompact(input, signal, await ownAndBrands(client))).posts;
  },
});

/** The next scheduled posts, to count those at risk. */
export const nextPostsQuery = queryOptions({
  queryKey: [...keys.attention, 'scheduled'],
  queryFn: async ({ client, signal }) => {
    const input = { status: 'scheduled', sortBy: 'scheduledTime', sortOrder: 'asc', limit: maxCounted } as const;
    const { posts, pagination } = await postsApi.listCompact(input, signal, await ownAndBrands(client));
    return { posts, hasMore: pagination.hasNextPage };
  },
});
