import { PlatformError } from '../kit/index.ts';
import { type Granted, mayPermit, requirePermission } from './scopes.ts';

/** The versioned API, or the legacy one before it. */
export type ApiRoot = '/rest' | '/v2';

/**
 * The versioned API refuses comments and reactions from applications without a specific permission for them. The legacy
 * API accepts the same with the permission to post (measured 2026-08-24).
 */
export async function withLegacyFallback<T>(granted: Granted, attempt: (root: ApiRoot) => Promise<T>): Promise<T> {
  if (!mayPermit('comment and react', granted)) {
    requirePermission('publish', granted);
    return attempt('/v2');
  }
  try {
    return await attempt('/rest');
  } catch (error) {
    if (isForbidden(error) && error.reason?.includes('partnerApi')) return attempt('/v2');
    throw error;
  }
}

export const isForbidden = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.status === 403;
