import { infiniteQueryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';

export interface RequestFilters {
  errors?: true;
}

/** Calls are no events of the stream, so the list is read again whenever the page is opened. */
export const requestsQuery = ({ errors }: RequestFilters) =>
  infiniteQueryOptions({
    queryKey: ['requests', errors ?? false],
    queryFn: async ({ pageParam, signal }) =>
      await crier.listRequests({ page: pageParam, limit: 50, ...(errors && { errors: 'true' as const }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
    staleTime: 0,
  });
