import { describe, expect, test } from 'vitest';
import { asksFor } from '../graph/failure.ts';
import { failureIn, failureOfContainer } from './failure.ts';

const refusal = (error: Record<string, unknown>, status = 400, headers: Record<string, string> = {}) =>
  failureIn(new Response(null, { status, headers }), { error }, []);

describe('a refusal', () => {
  test.for([
    [190, 463, 'auth', /Connect the account again/],
    [190, undefined, 'auth', /Connect the account again/],
    [102, undefined, 'auth', /Connect the account again/],
    [10, undefined, 'auth', /allow all/],
    [200, undefined, 'auth', /allow all/],
    [299, undefined, 'auth', /allow all/],
    [25, 2207050, 'auth', /restricted/],
    [4, undefined, 'rate_limited', /slow down/],
    [17, undefined, 'rate_limited', /slow down/],
    [80002, undefined, 'rate_limited', /slow down/],
    [9, 2207042, 'rate_limited', /24 hours/],
    [4, 2207051, 'rejected', /spam/],
    [36000, 2207004, 'too_large', /8 MB/],
    [36001, 2207005, 'rejected', /JPEG/],
    [36003, 2207009, 'rejected', /ratio/],
    [36004, 2207010, 'rejected', /too long/],
    [352, 2207026, 'rejected', /video/],
    [100, 2207028, 'rejected', /carousel/],
    [100, undefined, 'rejected', /refused/],
    [9004, 2207052, 'unavailable', /fetch/],
    [-2, 2207003, 'unavailable', /fetch/],
    [24, 2207006, 'rejected', /Publish it anew/],
    [24, 2207008, 'unavailable', /failed to publish/],
    [-1, 2207001, 'unavailable', /trouble/],
    [100, 33, 'unavailable', /does not show/],
    [2, undefined, 'unavailable', /trouble/],
    [101, undefined, 'unavailable', /operator/],
  ] as const)('with code %i, subcode %s is "%s"', ([code, error_subcode, kind, message]) => {
    const failed = refusal({ message: 'Their words', code, error_subcode });
    expect(failed).toMatchObject({ kind, status: 400, reason: 'Their words', mayHaveHappened: false });
    expect(failed?.message).toMatch(message);
  });

  test('asks for patience or for a new container where those help', () => {
    expect(asksFor('wait', refusal({ code: 9007, error_subcode: 2207027 }))).toBe(true);
    expect(asksFor('renew', refusal({ code: -2, error_subcode: 2207020 }))).toBe(true);
    for (const remedy of ['wait', 'renew'] as const) expect(asksFor(remedy, refusal({ code: 100 }))).toBe(false);
  });

  test('that is said to pass is no refusal of the post', () => {
    expect(refusal({ message: 'Later', code: 12345, is_transient: true })).toMatchObject({ kind: 'unavailable' });
  });

  test('is one whatever its status', () => {
    expect(refusal({ message: 'Expired', code: 190 }, 200)).toMatchObject({ kind: 'auth', status: 200 });
  });

  test('of the sign-in has a shape of its own', () => {
    const body = { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found' };
    const failed = failureIn(new Response(null, { status: 400 }), body, []);
    expect(failed).toMatchObject({ kind: 'rejected', reason: 'Matching code was not found' });
  });

  test('says all that Instagram says, once, without what is secret', () => {
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

test('an answer without an error is no failure', () => {
  expect(failureIn(new Response(null, { status: 200 }), { id: '1' }, [])).toBeNull();
});

describe('seconds to wait', () => {
  const seconds = (headers: Record<string, string>, code = 4) => refusal({ code }, 400, headers)?.retryAfterSeconds;
  const usage = (...minutes: unknown[]) =>
    JSON.stringify({
      '17841': minutes.map((time) => ({ type: 'instagram', call_count: 100, estimated_time_to_regain_access: time })),
    });

  test('are the most that Instagram estimates, in its minutes', () => {
    expect(seconds({ 'x-business-use-case-usage': usage(2, 12) })).toBe(720);
  });

  test.for(['', 'soon', '[]', usage(), usage(0), usage('soon')])(
    'are a quarter of an hour when it says %j',
    (header) => {
      expect(seconds({ 'x-business-use-case-usage': header })).toBe(900);
    },
  );

  test('are an hour when the posts of the day are used up', () => {
    expect(seconds({ 'x-business-use-case-usage': usage(2) }, 9)).toBe(3600);
  });
});

describe('a container that failed', () => {
  test('over what was sent is a refusal', () => {
    const failed = failureOfContainer('Error: Media upload has failed with error code 2207026');
    expect(failed).toMatchObject({ kind: 'rejected', message: expect.stringMatching(/video/), remedy: null });
    expect(failed.reason).toMatch(/2207026/);
  });

  test.for([2207001, 2207003, 2207032, 2207053, 2207077, 2207082])(
    'at Instagram’s own fault (%i) asks for another',
    (code) => {
      expect(asksFor('renew', failureOfContainer(`Error: failed with error code ${code}`))).toBe(true);
    },
  );

  test('for no reason that we know is a refusal', () => {
    expect(failureOfContainer('Error: no')).toMatchObject({ kind: 'rejected', reason: 'Error: no', remedy: null });
  });
});
