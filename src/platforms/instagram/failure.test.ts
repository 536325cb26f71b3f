import { describe, expect, test } from 'vitest';
import { hasRecovery } from '../graph/failure.ts';
import { containerFailure, failureIn } from './failure.ts';

const refusal = (code: number, error_subcode?: number) =>
  failureIn(
    new Response(null, { status: 400 }),
    { error: { message: 'Their words', code, error_subcode } },
    { now: new Date(), secrets: [] },
  );

describe('an error code', () => {
  test.for([
    [190, 463, 'auth', /Reconnect the account/],
    [10, undefined, 'auth', /allow everything/],
    [25, 2207050, 'auth', /restricted/],
    [80001, undefined, 'rate_limited', /has rate-limited this account/],
    [80002, undefined, 'rate_limited', /has rate-limited this account/],
    [9, 2207042, 'rate_limited', /posting limit/],
    [4, 2207051, 'rejected', /spam/],
    [36000, 2207004, 'too_large', /8 MB/],
    [36001, 2207005, 'rejected', /JPEG/],
    [36003, 2207009, 'rejected', /ratio/],
    [36004, 2207010, 'rejected', /too long/],
    [352, 2207026, 'rejected', /video/],
    [100, 2207028, 'rejected', /carousel/],
    [9004, 2207052, 'unavailable', /could not download/],
    [-2, 2207003, 'unavailable', /could not download/],
    [24, 2207006, 'rejected', /Publish the post again/],
    [24, 2207008, 'unavailable', /failed to publish/],
    [-1, 2207001, 'unavailable', /temporary error/],
    [100, 33, 'unavailable', /cannot find/],
  ] as const)('%i with subcode %s is "%s"', ([code, error_subcode, kind, message]) => {
    const failed = refusal(code, error_subcode);
    expect(failed).toMatchObject({ kind, status: 400, reason: 'Their words', mayHaveHappened: false });
    expect(failed?.message).toMatch(message);
  });

  test('asks to wait, or for a new container, where that helps', () => {
    expect(hasRecovery(refusal(9007, 2207027), 'wait')).toBe(true);
    expect(hasRecovery(refusal(9007), 'wait')).toBe(true);
    expect(hasRecovery(refusal(-2, 2207020), 'renew')).toBe(true);
  });
});

describe('a failed container', () => {
  test('with a fault in the media is rejected', () => {
    const failed = containerFailure('Error: Media upload has failed with error code 2207026');
    expect(failed).toMatchObject({ kind: 'rejected', message: expect.stringMatching(/video/), recovery: null });
    expect(failed.reason).toMatch(/2207026/);
  });

  test.for([2207001, 2207003, 2207032, 2207053, 2207077, 2207082])(
    'with a fault of Instagram’s own (%i) is replaced',
    (code) => {
      expect(hasRecovery(containerFailure(`Error: failed with error code ${code}`), 'renew')).toBe(true);
    },
  );

  test('with an unknown reason is rejected', () => {
    expect(containerFailure('Error: no')).toMatchObject({ kind: 'rejected', reason: 'Error: no', recovery: null });
  });
});
