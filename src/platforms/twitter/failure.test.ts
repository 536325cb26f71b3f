import { describe, expect, test } from 'vitest';
import { failure, isRepeat } from './failure.ts';

const problems = 'https://api.x.com/2/problems';
const refusal = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  failure(Response.json(body, { status, headers }), []);
const forbidden = (detail: string) => refusal(403, { title: 'Forbidden', type: 'about:blank', status: 403, detail });

describe('a refusal with a code', () => {
  test.for([
    [402, 'credits', 'CreditsDepleted', 'rate_limited'],
    [403, 'client-forbidden', 'This application has been suspended.', 'rejected'],
    [403, 'unsupported-authentication', 'Authenticating with OAuth 2.0 Application-Only is forbidden.', 'auth'],
    [403, 'user-suspended', 'Forbidden', 'auth'],
    [403, 'usage-capped', 'Usage cap exceeded: Monthly product cap', 'rate_limited'],
    [429, 'usage-capped', 'Usage cap exceeded: Monthly product cap', 'rate_limited'],
    [404, 'resource-not-found', 'Could not find tweet with id: [1].', 'rejected'],
  ] as const)('%i %s is understood by it', async ([status, code, detail, kind]) => {
    const failed = await refusal(status, { title: 'Title', type: `${problems}/${code}`, detail });
    expect(failed).toMatchObject({ kind, status, reason: detail, mayHaveHappened: false });
  });

  test.for([
    [400, 'invalid_request', 'Value passed for the token was invalid.', 'auth', /Connect the account again/],
    [400, 'invalid_grant', 'Bad token', 'auth', /Connect the account again/],
    [401, 'unauthorized_client', 'Missing valid authorization header', 'rejected', /operator/],
    [401, 'invalid_client', 'Unknown', 'rejected', /operator/],
  ] as const)('%i %s, of signing in, says what to do', async ([status, error, error_description, kind, message]) => {
    const failed = await refusal(status, { error, error_description });
    expect(failed).toMatchObject({ kind, reason: `${error} ${error_description}` });
    expect(failed.message).toMatch(message);
  });
});

describe('a refusal without a code', () => {
  test.for([
    ['You are not allowed to create a Tweet with duplicate content.', 'rejected', /same text again/],
    ['A post may contain a maximum of one cashtag.', 'rejected', /one cashtag/],
    ['The Tweet contains an invalid URL.', 'rejected', /link/],
    ['Reply to this conversation is not allowed because you have not been mentioned.', 'rejected', /reply/],
    ['You attempted to reply to a Tweet that is deleted or not visible to you.', 'rejected', /gone/],
    ['You are not permitted to perform this action.', 'rejected', /too long/],
    ['This user is not allowed to post a video longer than 2 minutes', 'too_large', /too long/],
    ['Your account is suspended and is not permitted to access this feature.', 'auth', /suspended/],
    ['Forbidden', 'auth', /permission/],
    ['This account is temporarily locked.', 'auth', /locked/],
    ['Your account is not permitted to access this feature.', 'rejected', /refused/],
  ] as const)('"%s" is "%s", in plain words', async ([detail, kind, message]) => {
    const failed = await forbidden(detail);
    expect(failed).toMatchObject({ kind, status: 403, reason: detail, mayHaveHappened: false });
    expect(failed.message).toMatch(message);
  });

  test('a bad token asks to connect again', async () => {
    const failed = await refusal(401, {
      title: 'Unauthorized',
      type: 'about:blank',
      status: 401,
      detail: 'Unauthorized',
    });
    expect(failed).toMatchObject({ kind: 'auth', reason: 'Unauthorized' });
    expect(failed.message).toMatch(/Connect the account again/);
  });

  test('all that X lists is in the reason', async () => {
    const failed = await refusal(400, {
      title: 'Invalid Request',
      type: `${problems}/invalid-request`,
      detail: 'One or more parameters to your request was invalid.',
      errors: [
        { message: 'Your media IDs are invalid.', parameters: { 'media.media_ids': ['1'] } },
        { message: 'No.' },
      ],
    });
    expect(failed).toMatchObject({
      kind: 'rejected',
      reason: 'One or more parameters to your request was invalid. Your media IDs are invalid. No.',
    });
  });

  test('too many bytes announced are "too_large"', async () => {
    const errors = [{ message: 'Out of range.', parameters: { total_bytes: ['999999999'] } }];
    expect((await refusal(400, { title: 'Invalid Request', errors })).kind).toBe('too_large');
  });
});

test.for([
  [413, 'Payload Too Large', 'too_large', false],
  [403, 'Forbidden', 'unavailable', false],
  [502, 'Bad Gateway', 'unavailable', true],
  [503, '', 'unavailable', true],
] as const)('%i %s without an answer in JSON is "%s"', async ([status, statusText, kind, doubt]) => {
  const failed = await failure(new Response('<html>No.</html>', { status, statusText }), []);
  expect(failed).toMatchObject({ kind, status, reason: `${status} ${statusText}`.trim(), mayHaveHappened: doubt });
});

test('an answer that repeats a secret is shown without it', async () => {
  const answer = Response.json(
    { title: 'Unauthorized', detail: 'The token at-0123456789 is no good.' },
    { status: 401 },
  );
  expect((await failure(answer, ['at-0123456789'])).reason).toBe('The token [secret] is no good.');
});

test('only the refusal of a repeat says that it is one', async () => {
  expect(isRepeat(await forbidden('You are not allowed to create a Tweet with duplicate content.'))).toBe(true);
  expect(isRepeat(await forbidden('You are not permitted to perform this action.'))).toBe(false);
  expect(isRepeat(new Error('duplicate content'))).toBe(false);
});

describe('seconds to wait after 429', () => {
  const date = 'Sat, 15 Nov 2031 01:33:30 GMT';
  const inSeconds = (count: number) => String(Date.parse(date) / 1000 + count);
  const seconds = async (headers: Record<string, string>) =>
    (await refusal(429, { errors: [{ code: 88, message: 'Rate limit exceeded' }] }, headers)).retryAfterSeconds;
  const counter = (name: string, remaining: number, reset: number) => ({
    [`${name}-remaining`]: String(remaining),
    [`${name}-reset`]: inSeconds(reset),
  });

  test("run from the time of the answer to the reset, by X's own clock", async () => {
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 91) })).toBe(91);
  });

  test.for(['x-user-limit-24hour', 'x-app-limit-24hour'])('are those of %s where that is spent', async (name) => {
    expect(await seconds({ date, ...counter('x-rate-limit', 7, 91), ...counter(name, 0, 7200) })).toBe(7200);
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 91), ...counter(name, 7, 7200) })).toBe(91);
  });

  test('are the most of several that are spent', async () => {
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 900), ...counter('x-user-limit-24hour', 0, 60) })).toBe(
      900,
    );
  });

  test('are those of the window where nothing is said to be spent', async () => {
    expect(await seconds({ date, 'x-rate-limit-reset': inSeconds(45) })).toBe(45);
  });

  test('are at least one', async () => {
    expect(await seconds({ date, ...counter('x-rate-limit', 0, -5) })).toBe(1);
  });

  test.for<Record<string, string>>([{}, { date }, { date, 'x-rate-limit-reset': 'soon' }])(
    'are a whole window when X does not say: %j',
    async (headers) => {
      expect(await seconds(headers)).toBe(900);
    },
  );
});
