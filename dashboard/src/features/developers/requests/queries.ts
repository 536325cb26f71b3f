import { infiniteQueryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';

export interface RequestFilters {
  errors?: true;
}

/** The event stream doesn't include calls, so refetch whenever the page opens. */
export const requestsQuery = ({ errors }: RequestFilters) =>
  infiniteQueryOptions({
    queryKey: ['requests', errors ?? false],
    queryFn: async ({ pageParam, signal }) =>
      await crier.listRequests({ page: pageParam, limit: 50, ...(errors && { errors: 'true' as const }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
    staleTime: 0,
  });
