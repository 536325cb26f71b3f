import { CrierError } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    try {
      return (await crier.getSession()).user;
    } catch (error) {
      if (error instanceof CrierError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});
