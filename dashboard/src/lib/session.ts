import { CrierError } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';

/** The signed-in user, or null. `deletionAt` is set if the user has asked to delete the account. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    try {
      const { user, deletionAt = null } = await crier.getSession();
      return { ...user, deletionAt };
    } catch (error) {
      if (error instanceof CrierError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});
