import { describe, expect, test } from 'vitest';
import { expectNoSecret } from '../../../test/support/stages/platform.ts';
import { failureIn } from './failure.ts';

const read = (response: Response, body: unknown = null) =>
  failureIn(response, body, { now: new Date(), secrets: ['EAAP-secret'] });
const refusal = (error: object, headers: Record<string, string> = {}) =>
  read(new Response(null, { status: 400, headers }), { error: { type: 'OAuthException', ...error } });

describe('an error code', () => {
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
  ] as const)('%i/%s is "%s", and nothing happened', ([code, error_subcode, kind]) => {
    const failed = refusal({ code, error_subcode, message: `(#${code}) No.` });
    const numbers = error_subcode ? `${code}/${error_subcode}` : code;
    expect(failed).toMatchObject({ kind, status: 400, reason: `(#${numbers}) No.`, mayHaveHappened: false });
  });

  test.for([
    [{ code: 1, message: 'An unknown error occurred' }],
    [{ code: 2, message: 'Service temporarily unavailable' }],
    [{ code: 100, message: 'Try again', is_transient: true }],
  ])('in %j leaves open whether the request succeeded', ([error = {}]) => {
    expect(refusal(error)).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  });

  test.for([
    [1, 'Error validating client secret.'],
    [100, 'Invalid appsecret_proof provided in the API argument'],
  ] as const)('%i "%s" is for the operator to fix', ([code, message]) => {
    const failed = refusal({ code, message });
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
    expect(failed?.message).toMatch(/operator/);
  });
});

test.for([
  [413, 'too_large', false],
  [401, 'unavailable', false],
  [403, 'unavailable', false],
  [429, 'unavailable', false],
  [502, 'unavailable', true],
] as const)('an HTML page with status %i is "%s"', ([status, kind, mayHaveHappened]) => {
  const page = new Response('<html>Sorry, something went wrong.</html>', { status, statusText: 'Oops' });
  expect(read(page)).toMatchObject({ kind, status, reason: `${status} Oops`, mayHaveHappened });
});

describe('the reason', () => {
  test('holds the message for programs, then the one for people, once', () => {
    const [error_user_title, error_user_msg] = ['Duplicate status message', 'It is identical to the last one.'];
    const failed = refusal({
      code: 506,
      message: '(#506) Duplicate status message',
      error_user_title,
      error_user_msg,
    });
    expect(failed?.reason).toBe('(#506) Duplicate status message It is identical to the last one.');
  });

  test('does not show a token', () => {
    const failed = refusal({ code: 190, message: 'Malformed access token EAAP-secret' });
    expect(failed?.reason).toBe('(#190) Malformed access token [secret]');
    expectNoSecret(failed!, ['EAAP-secret']);
  });
});

describe('the wait after a rate limit', () => {
  const usage = (...minutes: number[]) => ({
    'x-business-use-case-usage': JSON.stringify({
      1043: minutes.map((estimated_time_to_regain_access) => ({ type: 'pages', estimated_time_to_regain_access })),
    }),
  });

  test.for<[title: string, code: number, headers: Record<string, string>, seconds: number]>([
    ['the longest that Facebook estimates', 32, usage(2, 7, 0), 420],
    ['15 minutes without an estimate', 32, {}, 900],
    ['at least an hour when the Page is blocked', 368, usage(5), 3600],
    ['longer than an hour if Facebook says so', 368, usage(90), 5400],
  ])('is %s', ([, code, headers, seconds]) => {
    expect(refusal({ code, message: 'Slow down' }, headers)?.retryAfterSeconds).toBe(seconds);
  });
});
