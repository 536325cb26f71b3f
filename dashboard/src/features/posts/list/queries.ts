import { CrierError } from '@crier/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import { asOwnerOfPost } from '../../../lib/brands/brand.ts';
import { type ComposerDraft, postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { type ListContext, listInputOf, type PostFilters } from './filters.ts';

const pageSize = 250;

export function postListQuery(filters: PostFilters, context: ListContext) {
  const input = listInputOf(filters, context);
  return infiniteQueryOptions({
    queryKey: [...keys.posts, 'list', input],
    queryFn: ({ pageParam: cursor, signal }) => postsApi.listCompact({ ...input, cursor, limit: pageSize }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
}

/** A service without the drafts route has no drafts. */
export const draftsQuery = queryOptions({
  queryKey: keys.drafts,
  queryFn: ({ signal }) =>
    postsApi.listDrafts(signal).catch((error: unknown): ComposerDraft[] => {
      if (error instanceof CrierError && error.status === 404) return [];
      throw error;
    }),
});

export const logsQuery = (postGroupId: string) =>
  queryOptions({
    queryKey: [...keys.post(postGroupId), 'logs'],
    queryFn: async ({ signal }) =>
      (await crier.getPostLogs({ postGroupId }, { ...asOwnerOfPost(postGroupId), signal })).logs,
  });

export const isMissing = (error: unknown): boolean =>
  error instanceof CrierError && (error.status === 404 || error.code === 'INVALID_POST_GROUP_ID');
