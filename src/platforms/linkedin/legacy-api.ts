import { PlatformError } from '../kit/index.ts';

/** The versioned API, or the one before it. */
export type ApiRoot = '/rest' | '/v2';

/**
 * The versioned API refuses comments and reactions of applications without a permission of their own for them. The API
 * before it accepts the same with the permission to post (measured 2026-08-24).
 */
export async function withLegacyFallback<T>(attempt: (root: ApiRoot) => Promise<T>): Promise<T> {
  try {
    return await attempt('/rest');
  } catch (error) {
    if (isForbidden(error) && error.reason?.includes('partnerApi')) return attempt('/v2');
    throw error;
  }
}

export const isForbidden = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.status === 403;
