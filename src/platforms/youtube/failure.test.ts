import { describe, expect, test } from 'vitest';
import { failureFrom } from '../../../test/support/publishing/failure-from.ts';
import { failureIn, parseBody } from './failure.ts';

const youtube = { failureIn, parseJson: parseBody };
const noon = new Date('2031-02-03T20:00:00Z');

interface Said {
  reason?: string;
  message?: string;
  status?: string;
  detail?: string;
}
const bodyOf = (code: number, { reason, message = 'No.', status, detail }: Said) => ({
  error: {
    code,
    message,
    ...(reason && { errors: [{ message, domain: 'youtube', reason }] }),
    ...(status && { status }),
    ...(detail && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail }] }),
  },
});
const refusal = (code: number, said: Said, now = noon, headers: Record<string, string> = {}) =>
  failureFrom(youtube, Response.json(bodyOf(code, said), { status: code, headers }), { now });

describe('a refusal is classified by its code', () => {
  test.for([
    [401, 'authError', 'auth', /Reconnect the account/],
    [401, 'youtubeSignupRequired', 'auth', /no YouTube channel/],
    [403, 'insufficientPermissions', 'auth', /allow everything/],
    [403, 'authenticatedUserAccountSuspended', 'auth', /suspended/],
    [403, 'channelSuspended', 'auth', /suspended/],
    [403, 'authenticatedUserAccountClosed', 'auth', /closed/],
    [403, 'channelClosed', 'auth', /closed/],
    [403, 'authenticatedUserNotChannel', 'auth', /choose it/],
    [403, 'accessNotConfigured', 'rejected', /operator/],
    [403, 'forbidden', 'rejected', /YouTube Studio/],
    [403, 'quotaExceeded', 'rate_limited', /daily quota/],
    [403, 'rateLimitExceeded', 'rate_limited', /has rate-limited/],
    [400, 'uploadLimitExceeded', 'rate_limited', /no more videos/],
    [400, 'invalidTitle', 'rejected', /title/],
    [400, 'invalidDescription', 'rejected', /description/],
    [400, 'invalidTags', 'rejected', /tags/],
    [400, 'invalidCategoryId', 'rejected', /category/],
    [403, 'forbiddenPrivacySetting', 'rejected', /visibility/],
    [404, 'videoNotFound', 'rejected', /no longer has/],
    [404, 'playlistNotFound', 'rejected', /playlist/],
    [400, 'somethingNew', 'rejected', /rejected the request/],
    [413, 'uploadTooLarge', 'too_large', /too large/],
  ] as const)('%i %s', async ([status, reason, kind, message]) => {
    const failed = await refusal(status, { reason, message: 'Their words.' });
    expect(failed).toMatchObject({ kind, status, reason: `${reason}: Their words.`, mayHaveHappened: false });
    expect(failed.message).toMatch(message);
  });

  test.for<[code: number, said: Said, kind: string]>([
    [401, { status: 'UNAUTHENTICATED' }, 'auth'],
    [403, { status: 'PERMISSION_DENIED', detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }, 'auth'],
    [403, { reason: 'forbidden', detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }, 'auth'],
    [429, { status: 'RESOURCE_EXHAUSTED' }, 'rate_limited'],
  ])('%i %o', async ([code, said, kind]) => {
    expect((await refusal(code, said)).kind).toBe(kind);
  });

  test.for([
    [400, 'invalid_grant', 'auth', /Reconnect the account/],
    [401, 'invalid_client', 'rejected', /operator/],
    [400, 'redirect_uri_mismatch', 'rejected', /operator/],
  ] as const)('%i %s, of the sign-in', async ([status, error, kind, message]) => {
    const body = { error, error_description: 'Their words.' };
    const failed = await failureFrom(youtube, Response.json(body, { status }));
    expect(failed).toMatchObject({ kind, reason: `${error}: Their words.` });
    expect(failed.message).toMatch(message);
  });

  test('the reason has no markup', async () => {
    const message = 'You have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';
    expect((await refusal(403, { reason: 'quotaExceeded', message })).reason).toBe(
      'quotaExceeded: You have exceeded your quota.',
    );
  });
});

describe('a response without a code', () => {
  const answer = (status: number, body: string, type: string, statusText = '') =>
    failureFrom(youtube, new Response(body, { status, statusText, headers: { 'content-type': type } }));

  test('is a refusal if it has words', async () => {
    const words = 'Invalid request. The number of bytes uploaded is required to be equal or greater than 262144';
    const failed = await answer(400, `${words}\n`, 'text/plain; charset=utf-8');
    expect(failed).toMatchObject({ kind: 'rejected', reason: words, mayHaveHappened: false });
  });

  test.for([
    [400, 'unavailable'],
    [401, 'auth'],
    [413, 'too_large'],
    [429, 'rate_limited'],
  ] as const)('%i is "%s" if it is a page', async ([status, kind]) => {
    const failed = await answer(status, '<html>No.</html>', 'text/html', 'Words');
    expect(failed).toMatchObject({ kind, reason: `${status} Words`, mayHaveHappened: false });
  });

  test.for([500, 502, 503, 504])('%i is a server error and in doubt', async (status) => {
    const failed = await answer(status, '', 'text/html');
    expect(failed).toMatchObject({ kind: 'unavailable', status, mayHaveHappened: true });
  });
});

describe('a limit', () => {
  test.for([
    ['an ordinary day', '2031-02-03T20:00:00Z', 12 * 3600],
    ['a summer day', '2031-07-03T20:00:30Z', 11 * 3600 - 30],
    ['the day when clocks go forward', '2031-03-09T08:30:00Z', 22.5 * 3600],
    ['the day when clocks go back', '2031-11-02T07:30:00Z', 24.5 * 3600],
    ['the last second', '2031-02-04T07:59:59Z', 60],
  ] as const)('of the quota lasts until midnight Pacific time on %s', async ([, now, seconds]) => {
    const failed = await refusal(403, { reason: 'quotaExceeded' }, new Date(now));
    expect(failed.retryAfterSeconds).toBe(seconds);
  });

  test('of the channel lasts a day', async () => {
    expect((await refusal(400, { reason: 'uploadLimitExceeded' })).retryAfterSeconds).toBe(86_400);
  });

  test('of the rate lasts a minute unless YouTube says how long', async () => {
    expect((await refusal(403, { reason: 'rateLimitExceeded' })).retryAfterSeconds).toBe(60);
    expect((await refusal(429, {}, noon, { 'retry-after': '7' })).retryAfterSeconds).toBe(7);
  });
});

test('a secret that YouTube repeats is redacted', async () => {
  const body = bodyOf(401, { reason: 'authError', message: 'The token ya29.0123456789 is no good.' });
  const failed = await failureFrom(youtube, Response.json(body, { status: 401 }), { secrets: ['ya29.0123456789'] });
  expect(failed.reason).toBe('authError: The token [secret] is no good.');
});
