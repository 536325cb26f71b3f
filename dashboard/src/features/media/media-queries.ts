import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';

export type MediaType = 'image' | 'video' | 'document';

export interface MediaFilters {
  type?: MediaType;
  /** Part of a file name, alt text or label. */
  q?: string;
  label?: string;
}

export const mediaTypes: readonly MediaType[] = ['image', 'video', 'document'];

export const mediaQuery = (filters: MediaFilters) =>
  infiniteQueryOptions({
    queryKey: [...keys.media, filters],
    queryFn: async ({ pageParam, signal }) =>
      await crier.listMedia({ page: pageParam, limit: 48, ...filters }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
