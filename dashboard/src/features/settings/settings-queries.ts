import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';

export const twoFactorQuery = queryOptions({
  queryKey: keys.twoFactor,
  queryFn: ({ signal }) => crier.getTwoFactor({}, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: keys.passkeys,
  queryFn: async ({ signal }) => (await crier.listPasskeys({}, { signal })).passkeys,
});

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async ({ signal }) => (await crier.listSessions({}, { signal })).sessions,
});

/** `brand`: what the person did for this brand. */
export const auditLogQuery = (brand?: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.auditLog, brand ?? 'own'],
    queryFn: ({ pageParam, signal }) =>
      crier.listAuditLog({ limit: 10, ...(pageParam && { before: pageParam }) }, { signal, userId: brand }),
    initialPageParam: '',
    getNextPageParam: ({ nextBefore }) => nextBefore,
    // What is done elsewhere adds to it.
    staleTime: 0,
  });
