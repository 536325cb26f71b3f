import { CrierError } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';

/** The managed users; null if this account has no workspace. */
export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => {
    try {
      return (await crier.listWorkspaceUsers({}, { signal })).users;
    } catch (error) {
      if (error instanceof CrierError && error.status === 403) return null;
      throw error;
    }
  },
});
