import type { FailureKind, PlatformError } from '../../../platforms/kit/index.ts';

/** How to react to a failure. Decided only in `policies`. */
interface Policy {
  readonly code: string;
  /** Whether the user may retry the post after all automatic retries have failed. */
  readonly retryable: boolean;
  readonly retry: 'never' | 'backoff' | 'at_reset';
}

const policies: Readonly<Record<FailureKind, Policy>> = {
  auth: { code: 'PLATFORM_AUTH_EXPIRED', retryable: false, retry: 'never' },
  rejected: { code: 'INVALID_CONTENT', retryable: false, retry: 'never' },
  too_large: { code: 'CONTENT_TOO_LARGE', retryable: false, retry: 'never' },
  rate_limited: { code: 'RATE_LIMITED', retryable: true, retry: 'at_reset' },
  // Retrying is safe: steps record what the previous run did, or check with the platform.
  unavailable: { code: 'PLATFORM_SERVER_ERROR', retryable: true, retry: 'backoff' },
  network: { code: 'NETWORK_ERROR', retryable: true, retry: 'backoff' },
  timeout: { code: 'TIMEOUT_ERROR', retryable: true, retry: 'backoff' },
  unknown_outcome: { code: 'PUBLISH_OUTCOME_UNKNOWN', retryable: false, retry: 'never' },
};

const backoffSeconds = [30, 120, 600];
const rateLimitDeadlineMs = 6 * 3_600_000;
const resetUnknownSeconds = 60;

export interface Progress {
  /** Earlier attempts that count towards giving up. */
  attempts: number;
  rateLimitedSince: Date | null;
}

/** When to retry, or null for never. A wait that the platform asked for does not count as an attempt. */
export type Retry = { at: Date; counts: boolean } | null;

export function retryAfter(failure: PlatformError, { attempts, rateLimitedSince }: Progress, now: Date): Retry {
  const { retry } = policies[failure.kind];
  if (retry === 'at_reset') {
    const at = secondsAfter(now, failure.retryAfterSeconds ?? resetUnknownSeconds);
    const deadline = (rateLimitedSince ?? now).getTime() + rateLimitDeadlineMs;
    return at.getTime() <= deadline ? { at, counts: false } : null;
  }
  const wait = retry === 'backoff' ? backoffSeconds[attempts] : undefined;
  return wait === undefined ? null : { at: secondsAfter(now, wait), counts: true };
}

export interface PublishError {
  code: string;
  message: string;
  platformStatusCode?: number;
  platformError: string | null;
  failedAt: string;
  retryable: boolean;
}

export const codeOf = ({ code, kind }: PlatformError) => code ?? policies[kind].code;

/** A failure in the format of get-post. */
export function publishError(failure: PlatformError, now: Date): PublishError {
  const { retryable } = policies[failure.kind];
  return {
    code: codeOf(failure),
    message: failure.message,
    ...(failure.status !== null && { platformStatusCode: failure.status }),
    platformError: failure.reason,
    failedAt: now.toISOString(),
    retryable,
  };
}

export const secondsAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);
