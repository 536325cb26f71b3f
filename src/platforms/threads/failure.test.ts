import { describe, expect, test } from 'vitest';
import { asksFor } from '../graph/failure.ts';
import { failureIn, failureOfContainer, isDenial } from './failure.ts';

const refusal = (error: Record<string, unknown>, status = 400, headers: Record<string, string> = {}) =>
  failureIn(new Response(null, { status, headers }), { error }, []);

describe('a refusal', () => {
  test.for([
    [190, 463, 'auth', /Connect the account again/],
    [190, undefined, 'auth', /Connect the account again/],
    [102, undefined, 'auth', /Connect the account again/],
    [10, undefined, 'auth', /allow all/],
    [200, undefined, 'auth', /allow all/],
    [100, 4279013, 'auth', /restricted/],
    [4, undefined, 'rate_limited', /slow down/],
    [613, undefined, 'rate_limited', /slow down/],
    [9, 2207042, 'rate_limited', /24 hours/],
    [4, 2207051, 'rejected', /spam/],
    [100, undefined, 'rejected', /refused/],
    [9004, undefined, 'unavailable', /fetch/],
    [100, 2207052, 'unavailable', /fetch/],
    [2, undefined, 'unavailable', /trouble/],
    [101, undefined, 'unavailable', /operator/],
  ] as const)('with code %i, subcode %s is "%s"', ([code, error_subcode, kind, message]) => {
    const failed = refusal({ message: 'Their words', code, error_subcode });
    expect(failed).toMatchObject({ kind, status: 400, reason: 'Their words', mayHaveHappened: false });
    expect(failed?.message).toMatch(message);
  });

  test('of what Threads does not know yet asks for patience', () => {
    expect(asksFor('wait', refusal({ code: 24, error_subcode: 4279009 }))).toBe(true);
    expect(asksFor('wait', refusal({ code: 100 }))).toBe(false);
  });

  test('for want of a permission is told from one of the token', () => {
    for (const code of [10, 200, 299]) expect(isDenial(refusal({ code }))).toBe(true);
    for (const code of [190, 100, 300]) expect(isDenial(refusal({ code }))).toBe(false);
  });

  test('that is said to pass is no refusal of the post', () => {
    expect(refusal({ message: 'Later', code: 12345, is_transient: true })).toMatchObject({ kind: 'unavailable' });
  });

  test('says all that Threads says, once, without what is secret', () => {
    const error = { message: 'Token at-0123456789 is bad.', error_user_msg: 'Sign in again.', code: 190 };
    const failed = failureIn(new Response(null, { status: 400 }), { error }, ['at-0123456789']);
    expect(failed?.reason).toBe('Token [secret] is bad. Sign in again.');
  });
});

test.for([
  [401, 'auth', false],
  [403, 'auth', false],
  [404, 'unavailable', false],
  [413, 'too_large', false],
  [429, 'rate_limited', false],
  [500, 'unavailable', true],
  [503, 'unavailable', true],
] as const)('%i without words is "%s"', ([status, kind, mayHaveHappened]) => {
  const failed = failureIn(new Response(null, { status, statusText: 'Sorry' }), null, []);
  expect(failed).toMatchObject({ kind, status, reason: `${status} Sorry`, mayHaveHappened });
});

describe('seconds to wait', () => {
  const seconds = (header: string, code = 4) =>
    refusal({ code }, 400, { 'x-business-use-case-usage': header })?.retryAfterSeconds;
  const usage = (...minutes: number[]) =>
    JSON.stringify({ '42': minutes.map((time) => ({ estimated_time_to_regain_access: time })) });

  test('are the most that Threads estimates, in its minutes', () => {
    expect(seconds(usage(2, 12))).toBe(720);
  });

  test.for(['', 'soon', usage(), usage(0)])('are a quarter of an hour when it says %j', (header) => {
    expect(seconds(header)).toBe(900);
  });

  test('are an hour when the posts of the day are used up', () => {
    expect(seconds(usage(2), 9)).toBe(3600);
  });
});

describe('a container that failed', () => {
  test.for([
    ['INVALID_DURATION', /too long or too short/],
    ['INVALID_ASPEC_RATIO', /too tall or too wide/],
    ['FAILED_PROCESSING_VIDEO', /could not process the video/],
    ['SOMETHING_NEW', /could not process the media/],
  ] as const)('with %s is a refusal in plain words', ([fault, message]) => {
    const failed = failureOfContainer(fault);
    expect(failed).toMatchObject({ kind: 'rejected', reason: fault, remedy: null });
    expect(failed.message).toMatch(message);
  });

  test.for(['FAILED_DOWNLOADING_VIDEO', 'UNKNOWN'])('with %s asks for another', (fault) => {
    expect(asksFor('renew', failureOfContainer(fault))).toBe(true);
  });
});
