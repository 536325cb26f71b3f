import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectNoSecret, failureOf } from '../../../test/support/platform-stage.ts';
import { failure, hasCode, parseAnswer } from './failure.ts';

const refusal = (error: object, { status = 400, headers = {} } = {}) =>
  failure(Response.json({ error: { type: 'OAuthException', ...error } }, { status, headers }), ['EAAP-secret']);

describe('failure', () => {
  test.for([
    [190, undefined, 'auth'],
    [190, 458, 'auth'],
    [190, 460, 'auth'],
    [190, 464, 'auth'],
    [190, 492, 'auth'],
    [102, undefined, 'auth'],
    [10, undefined, 'auth'],
    [200, undefined, 'auth'],
    [299, undefined, 'auth'],
    [100, 1363042, 'auth'],
    [3, undefined, 'rejected'],
    [100, undefined, 'rejected'],
    [300, undefined, 'rejected'],
    [200, 4854002, 'rejected'],
    [506, undefined, 'rejected'],
    [100, 1366051, 'rejected'],
    [100, 1609008, 'rejected'],
    [368, 1346003, 'rejected'],
    [324, 2069019, 'rejected'],
    [352, 1363024, 'rejected'],
    [100, 1366046, 'too_large'],
    [352, 1363023, 'too_large'],
    [1363026, undefined, 'too_large'],
    [6000, 1363041, 'unavailable'],
    [101, undefined, 'unavailable'],
    [4, undefined, 'rate_limited'],
    [17, undefined, 'rate_limited'],
    [32, undefined, 'rate_limited'],
    [613, undefined, 'rate_limited'],
    [80001, undefined, 'rate_limited'],
    [368, 1390008, 'rate_limited'],
  ] as const)('%i/%s is "%s", and nothing happened', async ([code, error_subcode, kind]) => {
    const failed = await refusal({ code, error_subcode, message: `(#${code}) No.` });
    const numbers = error_subcode ? `${code}/${error_subcode}` : code;
    expect(failed).toMatchObject({ kind, status: 400, reason: `(#${numbers}) No.`, mayHaveHappened: false });
  });

  test.for([
    [{ code: 1, message: 'An unknown error occurred' }],
    [{ code: 2, message: 'Service temporarily unavailable' }],
    [{ code: 100, message: 'Try again', is_transient: true }],
  ])('%j may have happened', async ([error = {}]) => {
    expect(await refusal(error)).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  });

  test('what is said to pass soon is a rate limit all the same', async () => {
    expect((await refusal({ code: 4, message: 'Slow down', is_transient: true })).kind).toBe('rate_limited');
  });

  test.for([
    [1, 'Error validating client secret.'],
    [100, 'Invalid appsecret_proof provided in the API argument'],
  ] as const)('%i "%s" is for the operator to mend', async ([code, message]) => {
    const failed = await refusal({ code, message });
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
    expect(failed.message).toMatch(/operator/);
  });

  test.for([
    [413, 'too_large', false],
    [403, 'unavailable', false],
    [502, 'unavailable', true],
  ] as const)('a page with %i is "%s"', async ([status, kind, mayHaveHappened]) => {
    const page = new Response('<html>Sorry, something went wrong.</html>', { status, statusText: 'Oops' });
    expect(await failure(page, [])).toMatchObject({ kind, status, reason: `${status} Oops`, mayHaveHappened });
  });

  test('what Facebook says to people is told after what it says to programs, once', async () => {
    const [error_user_title, error_user_msg] = ['Duplicate status message', 'It is identical to the last one.'];
    const failed = await refusal({
      code: 506,
      message: '(#506) Duplicate status message',
      error_user_title,
      error_user_msg,
    });
    expect(failed.reason).toBe('(#506) Duplicate status message It is identical to the last one.');
  });

  test('a token in the words is not shown', async () => {
    const failed = await refusal({ code: 190, message: 'Malformed access token EAAP-secret' });
    expect(failed.reason).toBe('(#190) Malformed access token [secret]');
    expectNoSecret(failed, ['EAAP-secret']);
  });
});

describe('the wait after a rate limit', () => {
  const usage = (...minutes: number[]) => ({
    'x-business-use-case-usage': JSON.stringify({
      1043: minutes.map((estimated_time_to_regain_access) => ({ type: 'pages', estimated_time_to_regain_access })),
    }),
  });

  test.for<[title: string, code: number, headers: Record<string, string>, seconds: number]>([
    ['the longest that Facebook names', 32, usage(2, 7, 0), 420],
    ['a quarter of an hour when it names none', 32, usage(0), 900],
    ['a quarter of an hour when the header is broken', 4, { 'x-business-use-case-usage': '{' }, 900],
    ['an hour at least when the Page is blocked', 368, usage(5), 3600],
    ['more than that if Facebook says so', 368, usage(90), 5400],
  ])('is %s', async ([, code, headers, seconds]) => {
    expect((await refusal({ code, message: 'Slow down' }, { headers })).retryAfterSeconds).toBe(seconds);
  });
});

test('a failure is known by its code or its subcode, not by numbers in its words', async () => {
  const failed = await refusal({ code: 100, error_subcode: 1609008, message: 'See 506' });
  expect([hasCode(failed, 100), hasCode(failed, 7, 1609008), hasCode(failed, 506)]).toEqual([true, true, false]);
  expect(hasCode(new Error('(#100) No'), 100)).toBe(false);
});

test('an answer that cannot be read is trouble, and may have happened', async () => {
  const failed = await failureOf(parseAnswer(z.object({ id: z.string() }), Response.json({ success: true })));
  expect(failed).toMatchObject({ kind: 'unavailable', status: 200, mayHaveHappened: true });
});
