import { describe, expect, test } from 'vitest';
import { type FailureKind, PlatformError } from '../../../platforms/kit/index.ts';
import { publishError, retryAfter } from './failures.ts';

const now = new Date('2031-02-03T04:05:06Z');
const hours = (count: number) => count * 3_600;
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const failure = (kind: FailureKind, details = {}) => new PlatformError(kind, 'It failed.', details);

/** Seconds until the retry, and whether it counts as an attempt. */
function retryOf(error: PlatformError, { attempts = 0, rateLimitedSince = null as Date | null } = {}) {
  const retry = retryAfter(error, { attempts, rateLimitedSince }, now);
  return retry && [(retry.at.getTime() - now.getTime()) / 1000, retry.counts];
}

describe('a failure', () => {
  test.each<[FailureKind, string, boolean]>([
    ['auth', 'PLATFORM_AUTH_EXPIRED', false],
    ['rejected', 'INVALID_CONTENT', false],
    ['too_large', 'CONTENT_TOO_LARGE', false],
    ['rate_limited', 'RATE_LIMITED', true],
    ['unavailable', 'PLATFORM_SERVER_ERROR', true],
    ['network', 'NETWORK_ERROR', true],
    ['timeout', 'TIMEOUT_ERROR', true],
    ['unknown_outcome', 'PUBLISH_OUTCOME_UNKNOWN', false],
  ])('of kind %s is shown as %s, and the user may publish the post again: %s', (kind, code, retryable) => {
    expect(publishError(failure(kind), now)).toEqual({
      code,
      message: 'It failed.',
      platformError: null,
      failedAt: '2031-02-03T04:05:06.000Z',
      retryable,
    });
  });

  test('is shown with what the platform said, and with the code of the platform if it has one', () => {
    const details = { status: 413, reason: 'Too big', code: 'VIDEO_TOO_LONG' };
    expect(publishError(failure('too_large', details), now)).toMatchObject({
      code: 'VIDEO_TOO_LONG',
      platformStatusCode: 413,
      platformError: 'Too big',
    });
  });
});

describe('a retry', () => {
  test.each<FailureKind>(['auth', 'rejected', 'too_large', 'unknown_outcome'])('never follows %s', (kind) => {
    expect(retryOf(failure(kind))).toBeNull();
    expect(retryOf(failure(kind, { retryAfterSeconds: 10 }))).toBeNull();
  });

  test.each<FailureKind>(['unavailable', 'network', 'timeout'])('follows %s three times, later each time', (kind) => {
    const retries = [0, 1, 2, 3].map((attempts) => retryOf(failure(kind), { attempts }));
    expect(retries).toEqual([[30, true], [120, true], [600, true], null]);
  });

  test('follows a rate limit at its reset, however often, and counts as no attempt', () => {
    expect(retryOf(failure('rate_limited', { retryAfterSeconds: 90 }), { attempts: 9 })).toEqual([90, false]);
    expect(retryOf(failure('rate_limited'))).toEqual([60, false]);
  });

  test('follows a rate limit for at most six hours', () => {
    const limited = failure('rate_limited', { retryAfterSeconds: 60 });
    expect(retryOf(limited, { rateLimitedSince: secondsAgo(hours(6) - 60) })).toEqual([60, false]);
    expect(retryOf(limited, { rateLimitedSince: secondsAgo(hours(6) - 59) })).toBeNull();
    expect(retryOf(failure('rate_limited', { retryAfterSeconds: hours(6) + 1 }))).toBeNull();
  });
});
