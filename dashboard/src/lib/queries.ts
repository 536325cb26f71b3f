import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';
import { keys } from './query-keys.ts';

/** What more than one page reads. What only one feature reads is defined there. */

export const accountQuery = queryOptions({
  queryKey: keys.account,
  queryFn: async ({ signal }) => (await crier.getAccountContext({}, { signal })).context,
});

export const channelsQuery = queryOptions({
  queryKey: keys.channels,
  queryFn: async ({ signal }) => (await crier.listConnections({}, { signal })).connections,
});

/** Limits and settings of every network. They change only with the service. */
export const limitsQuery = queryOptions({
  queryKey: keys.limits,
  queryFn: async ({ signal }) => (await crier.getPlatformLimits({}, { signal })).platforms,
  staleTime: Number.POSITIVE_INFINITY,
});

export const postQuery = (postGroupId: string) =>
  queryOptions({
    queryKey: keys.post(postGroupId),
    queryFn: ({ signal }) => crier.getPost({ postGroupId }, { signal }),
  });

export const profileQuery = queryOptions({
  queryKey: [...keys.profile, 'own'],
  queryFn: ({ signal }) => crier.getProfile({}, { signal }),
});
