import type { ListRequestsResult } from '@crier/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import { listInputOf, type RequestFilters } from './filters.ts';

/** The event stream doesn't include calls, because there may be hundreds per second. */
const refetchMs = 2_000;

/** Follows new calls. More pages are refetched less often, so that the number of requests stays the same. */
export const requestsQuery = ({ call: _, ...filters }: RequestFilters) =>
  infiniteQueryOptions({
    queryKey: ['requests', 'list', filters],
    queryFn: async ({ pageParam, signal }) =>
      await crier.listRequests({ ...listInputOf(filters), page: pageParam, limit: 50 }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.page + 1 : undefined),
    select: ({ pages }) => ({
      requests: withoutRepeats(pages),
      keys: pages[0]?.keys ?? [],
      paths: pages[0]?.paths ?? [],
      bodiesUntil: pages[0]?.bodiesUntil ?? null,
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => refetchMs * Math.max(1, state.data?.pages.length ?? 1),
  });

/** A call that arrives between two pages moves another one to the next page. */
function withoutRepeats(pages: readonly Pick<ListRequestsResult, 'requests'>[]) {
  const byId = new Map(pages.flatMap(({ requests }) => requests).map((request) => [request._id, request]));
  return [...byId.values()];
}

/** A logged call never changes. */
export const requestQuery = (callId: string) =>
  queryOptions({
    queryKey: ['requests', 'call', callId],
    queryFn: async ({ signal }) => (await crier.getRequest({ callId }, { signal })).request,
    staleTime: Number.POSITIVE_INFINITY,
  });
