import { describe, expect, test } from 'vitest';
import { failureFrom } from '../../../test/support/publishing/failure-from.ts';
import { failureIn, isDuplicate } from './failure.ts';

const problems = 'https://api.x.com/2/problems';
const refusal = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  failureFrom({ failureIn }, Response.json(body, { status, headers }));
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
  ] as const)('%i %s is classified by the code', async ([status, code, detail, kind]) => {
    const failed = await refusal(status, { title: 'Title', type: `${problems}/${code}`, detail });
    expect(failed).toMatchObject({ kind, status, reason: detail, mayHaveHappened: false });
  });

  test.for([
    [400, 'invalid_request', 'Value passed for the token was invalid.', 'auth', /Reconnect the account/],
    [400, 'invalid_grant', 'Bad token', 'auth', /Reconnect the account/],
    [401, 'unauthorized_client', 'Missing valid authorization header', 'rejected', /operator/],
    [401, 'invalid_client', 'Unknown', 'rejected', /operator/],
  ] as const)('%i %s, of the sign-in, says what to do', async ([status, error, error_description, kind, message]) => {
    const failed = await refusal(status, { error, error_description });
    expect(failed).toMatchObject({ kind, reason: `${error} ${error_description}` });
    expect(failed.message).toMatch(message);
  });
});

describe('a refusal without a code', () => {
  test.for([
    ['You are not allowed to create a Tweet with duplicate content.', 'rejected', /same text twice/],
    ['A post may contain a maximum of one cashtag.', 'rejected', /one cashtag/],
    ['The Tweet contains an invalid URL.', 'rejected', /link/],
    ['Reply to this conversation is not allowed.', 'rejected', /limited who can reply/],
    ['You attempted to reply to a Tweet that is deleted or not visible to you.', 'rejected', /deleted/],
    ['You are not permitted to perform this action.', 'rejected', /too long/],
    ['This user is not allowed to post a video longer than 2 minutes', 'too_large', /too long/],
    ['Your account is suspended and is not permitted to access this feature.', 'auth', /suspended/],
    ['Forbidden', 'auth', /permission/],
    ['This account is temporarily locked.', 'auth', /restricted/],
    ['Your account is not permitted to access this feature.', 'rejected', /rejected the request/],
  ] as const)('"%s" is "%s" and has its own message', async ([detail, kind, message]) => {
    const failed = await forbidden(detail);
    expect(failed).toMatchObject({ kind, status: 403, reason: detail, mayHaveHappened: false });
    expect(failed.message).toMatch(message);
  });

  test.for([
    'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    'You can only reply to or quote posts where you are mentioned or are the author.',
  ])('a reply without a summons has its own code and is not retried: "%s"', async (detail) => {
    const type = `${problems}/not-authorized-for-resource`;
    const failed = await refusal(403, { title: 'Authorization Error', type, status: 403, detail });
    expect(failed).toMatchObject({ kind: 'rejected', code: 'X_REPLY_NOT_AUTHORIZED', mayHaveHappened: false });
    expect(failed.message).toMatch(/mentioned or quoted the account.*without threads and comments.*operator/);
  });

  test('a rejected token asks to reconnect the account', async () => {
    const failed = await refusal(401, {
      title: 'Unauthorized',
      type: 'about:blank',
      status: 401,
      detail: 'Unauthorized',
    });
    expect(failed).toMatchObject({ kind: 'auth', reason: 'Unauthorized' });
    expect(failed.message).toMatch(/Reconnect the account/);
  });

  test('the reason has everything that X lists', async () => {
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

  test('a file size over the limit is "too_large"', async () => {
    const errors = [{ message: 'Out of range.', parameters: { total_bytes: ['999999999'] } }];
    expect((await refusal(400, { title: 'Invalid Request', errors })).kind).toBe('too_large');
  });
});

test.for([
  [413, 'Payload Too Large', 'too_large', false],
  [403, 'Forbidden', 'unavailable', false],
  [502, 'Bad Gateway', 'unavailable', true],
  [503, '', 'unavailable', true],
] as const)('%i %s without a JSON body is "%s"', async ([status, statusText, kind, inDoubt]) => {
  const failed = await failureFrom({ failureIn }, new Response('<html>No.</html>', { status, statusText }));
  expect(failed).toMatchObject({ kind, status, reason: `${status} ${statusText}`.trim(), mayHaveHappened: inDoubt });
});

test('a secret that X repeats is redacted', async () => {
  const answer = Response.json(
    { title: 'Unauthorized', detail: 'The token at-0123456789 is no good.' },
    { status: 401 },
  );
  expect((await failureFrom({ failureIn }, answer, { secrets: ['at-0123456789'] })).reason).toBe(
    'The token [secret] is no good.',
  );
});

test('only the refusal of a duplicate counts as one', async () => {
  expect(isDuplicate(await forbidden('You are not allowed to create a Tweet with duplicate content.'))).toBe(true);
  expect(isDuplicate(await forbidden('You are not permitted to perform this action.'))).toBe(false);
  expect(isDuplicate(new Error('duplicate content'))).toBe(false);
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

  test("run from the time of the response to the reset, by X's own clock", async () => {
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 91) })).toBe(91);
  });

  test.for(['x-user-limit-24hour', 'x-app-limit-24hour'])('are those of %s where that is used up', async (name) => {
    expect(await seconds({ date, ...counter('x-rate-limit', 7, 91), ...counter(name, 0, 7200) })).toBe(7200);
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 91), ...counter(name, 7, 7200) })).toBe(91);
  });

  test('are the longest of several that are used up', async () => {
    expect(await seconds({ date, ...counter('x-rate-limit', 0, 900), ...counter('x-user-limit-24hour', 0, 60) })).toBe(
      900,
    );
  });

  test('are those of the window where no counter is at zero', async () => {
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
