import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

export const apiKeysQuery = queryOptions({
  queryKey: keys.keys,
  queryFn: async ({ signal }) => (await crier.listApiKeys({}, { signal })).apiKeys,
});
