import type { ApiKey } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

export const apiKeysQuery = queryOptions({
  queryKey: keys.keys,
  queryFn: async ({ signal }) => (await crier.listApiKeys({}, { signal })).apiKeys,
});

/** The channels that a key posts to without naming a brand. */
export const ownChannelsQuery = queryOptions({
  queryKey: [...keys.channels, 'own'],
  queryFn: async ({ signal }) => (await crier.listConnections({}, { signal })).connections,
});

/** Undefined for revoked keys, and for those of a workspace's users. */
export const keyNameOf = (apiKeys: readonly Pick<ApiKey, 'keyPrefix' | 'name'>[], prefix: string): string | undefined =>
  apiKeys.find(({ keyPrefix }) => keyPrefix === prefix)?.name;
