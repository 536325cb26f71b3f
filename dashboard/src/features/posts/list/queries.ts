import { CrierError } from '@crier/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import type { PostSummary } from '../../../lib/post-summary.ts';
import { type ComposerDraft, postsApi } from '../../../lib/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { listInputOf, type PostFilters } from './filters.ts';

const pageSize = 250;

export const postListQuery = (filters: PostFilters) =>
  infiniteQueryOptions({
    queryKey: [...keys.posts, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      postsApi.listCompact({ ...listInputOf(filters), page: pageParam, limit: pageSize }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
  });

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
    queryFn: async ({ signal }) => (await crier.getPostLogs({ postGroupId }, { signal })).logs,
  });

export const isMissing = (error: unknown): boolean =>
  error instanceof CrierError && (error.status === 404 || error.code === 'INVALID_POST_GROUP_ID');

/** A row of the list: a post or a composer draft. */
export interface PostRow extends PostSummary {
  /** Set if it isn't a post yet. */
  draftId?: string;
}

/** A composer draft as a row. Its format is internal to the composer, so validate every field. */
export function rowOfDraft({ _id, draft }: ComposerDraft): PostRow {
  const { channels: named, text } = Object(draft) as { channels?: unknown; text?: unknown };
  const channels = Array.isArray(named) ? named.filter((id) => typeof id === 'string') : [];
  return {
    postGroupId: _id,
    draftId: _id,
    content: typeof text === 'string' ? text : '',
    status: 'draft',
    scheduledTime: null,
    platforms: channels.map((platformId) => ({
      platformId,
      platform: platformId.slice(0, platformId.indexOf('-')),
      status: 'draft',
    })),
    thumbnail: null,
  };
}

export function matchesDraft(row: PostRow, { channel, q }: PostFilters): boolean {
  const isOfChannel = !channel || row.platforms.some(({ platformId }) => platformId === channel);
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const text = row.content.toLowerCase();
  return isOfChannel && words.every((word) => text.includes(word));
}
