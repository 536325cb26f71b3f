import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';
import { asOwnerOfPost, brandsInput } from './brands/brand.ts';
import { keys } from './query-keys.ts';

/** Queries shared by several features. Others are defined in their feature. */

export const accountQuery = queryOptions({
  queryKey: keys.account,
  queryFn: async ({ signal }) => (await crier.getAccountContext({}, { signal })).context,
});

export const channelsQuery = queryOptions({
  queryKey: keys.channels,
  queryFn: async ({ signal }) => (await crier.listConnections(brandsInput(), { signal })).connections,
});

export const labelsQuery = queryOptions({
  queryKey: keys.labels,
  queryFn: async ({ signal }) => (await crier.listLabels(brandsInput(), { signal })).labels,
});

/** Limits and settings of all networks. They only change with a new version of the service. */
export const limitsQuery = queryOptions({
  queryKey: keys.limits,
  queryFn: async ({ signal }) => (await crier.getPlatformLimits({}, { signal })).platforms,
  staleTime: Number.POSITIVE_INFINITY,
});

export const postQuery = (postGroupId: string) =>
  queryOptions({
    queryKey: keys.post(postGroupId),
    queryFn: ({ signal }) => crier.getPost({ postGroupId }, { ...asOwnerOfPost(postGroupId), signal }),
  });

export const profileQuery = queryOptions({
  queryKey: [...keys.profile, 'own'],
  queryFn: ({ signal }) => crier.getProfile({}, { signal }),
});

export const slotsQuery = queryOptions({
  queryKey: [...keys.slots, 'week'],
  queryFn: ({ signal }) => crier.getPostingSlots(brandsInput(), { signal }),
});
