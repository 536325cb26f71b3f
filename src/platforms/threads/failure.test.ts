import { describe, expect, test } from 'vitest';
import { hasRecovery } from '../graph/failure.ts';
import { containerFailure, failureIn, isPermissionMissing } from './failure.ts';

const refusal = (code: number, error_subcode?: number) => {
  const body = { error: { message: 'Their words', code, error_subcode } };
  return failureIn(new Response(null, { status: 400 }), body, { now: new Date(), secrets: [] });
};

describe('an error code', () => {
  test.for([
    [190, 463, 'auth', /Reconnect the account/],
    [100, 4279013, 'auth', /restricted/],
    [613, undefined, 'rate_limited', /has rate-limited this account/],
    [9, 2207042, 'rate_limited', /posting limit/],
    [4, 2207051, 'rejected', /spam/],
    [9004, undefined, 'unavailable', /could not download/],
    [100, 2207052, 'unavailable', /could not download/],
  ] as const)('%i with subcode %s is "%s"', ([code, subcode, kind, message]) => {
    const failed = refusal(code, subcode);
    expect(failed).toMatchObject({ kind, reason: 'Their words', mayHaveHappened: false });
    expect(failed?.message).toMatch(message);
  });

  test('for an object that Threads does not know yet asks to wait', () => {
    expect(hasRecovery(refusal(24, 4279009), 'wait')).toBe(true);
  });

  test('for a missing permission differs from one for the token', () => {
    for (const code of [10, 200, 299]) expect(isPermissionMissing(refusal(code))).toBe(true);
    for (const code of [190, 100, 300]) expect(isPermissionMissing(refusal(code))).toBe(false);
  });
});

describe('a failed container', () => {
  test.for([
    ['INVALID_DURATION', /too long or too short/],
    ['INVALID_ASPEC_RATIO', /too tall or too wide/],
    ['FAILED_PROCESSING_VIDEO', /could not process the video/],
    ['SOMETHING_NEW', /could not process the media/],
  ] as const)('with %s is rejected for that', ([reason, message]) => {
    const failed = containerFailure(reason);
    expect(failed).toMatchObject({ kind: 'rejected', reason, recovery: null });
    expect(failed.message).toMatch(message);
  });

  test.for(['FAILED_DOWNLOADING_VIDEO', 'UNKNOWN'])('with %s is replaced', (reason) => {
    expect(hasRecovery(containerFailure(reason), 'renew')).toBe(true);
  });
});
