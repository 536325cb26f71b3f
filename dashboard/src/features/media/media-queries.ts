import { infiniteQueryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';

export type MediaType = 'image' | 'video' | 'document';

export interface MediaFilters {
  type?: MediaType;
}

export const mediaTypes: readonly MediaType[] = ['image', 'video', 'document'];

export const mediaQuery = ({ type }: MediaFilters) =>
  infiniteQueryOptions({
    queryKey: [...keys.media, type ?? 'all'],
    queryFn: async ({ pageParam, signal }) =>
      await crier.listMedia({ page: pageParam, limit: 48, ...(type && { type }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
  });
