import { describe, expect, test } from 'vitest';
import { failureFrom } from '../../../test/support/publishing/failure-from.ts';
import { failureIn } from './failure.ts';

const failure = (response: Response) => failureFrom({ failureIn }, response);

const refusal = (status: number, error: string) => Response.json({ error }, { status });

describe('a refusal', () => {
  test.for([
    [401, 'The access token is invalid', 'auth'],
    [401, 'The access token was revoked', 'auth'],
    [401, 'This method requires an authenticated user', 'auth'],
    [403, 'This action is outside the authorized scopes', 'auth'],
    [403, 'Your login is currently disabled', 'auth'],
    [403, 'Your login is missing a confirmed e-mail address', 'auth'],
    [403, 'Your login is currently pending approval', 'auth'],
    [403, 'This action is not allowed', 'rejected'],
    [404, 'Record not found', 'rejected'],
    [410, 'Gone', 'rejected'],
    [422, 'Validation failed: Text character limit of 500 exceeded', 'rejected'],
    [422, "Validation failed: Text can't be blank", 'rejected'],
    [422, 'Validation failed: File file size must be less than 16 MB', 'too_large'],
    [422, 'Error processing thumbnail for uploaded media', 'rejected'],
    [422, 'Validation failed: Media 7 not found or already attached to another post', 'rejected'],
    [422, 'This method requires an authenticated user', 'auth'],
    [429, 'Too many requests', 'rate_limited'],
    [500, 'Error processing thumbnail for uploaded media', 'rejected'],
    [503, 'Remote data could not be fetched', 'unavailable'],
  ] as const)('%i "%s" is "%s" with that reason', async ([status, error, kind]) => {
    expect(await failure(refusal(status, error))).toMatchObject({ kind, status, reason: error });
  });

  test('files that are still being processed can be retried, because nothing was posted', async () => {
    const said = 'Validation failed: Cannot attach files that have not finished processing. Try again in a moment!';
    expect(await failure(refusal(422, said))).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
  });

  test.for([
    [413, 'Payload Too Large', 'too_large', false],
    [403, 'Forbidden', 'unavailable', false],
    [502, 'Bad Gateway', 'unavailable', true],
    [520, '', 'unavailable', true],
  ] as const)(
    'a page with %i %s, from a proxy in front of the server, is "%s"',
    async ([status, statusText, kind, inDoubt]) => {
      const failed = await failure(new Response('<html><body>No.</body></html>', { status, statusText }));
      expect(failed).toMatchObject({
        kind,
        status,
        reason: `${status} ${statusText}`.trim(),
        mayHaveHappened: inDoubt,
      });
    },
  );

  test.for([
    [401, 'invalid_client', /no longer recognises this service/],
    [400, 'invalid_grant', /rejected the sign-in/],
  ] as const)('%i %s says what to do', async ([status, error, message]) => {
    const failed = await failure(Response.json({ error, error_description: 'Unknown client.' }, { status }));
    expect(failed).toMatchObject({ kind: 'auth', reason: `${error}: Unknown client.` });
    expect(failed.message).toMatch(message);
  });
});

describe('seconds to wait after 429', () => {
  const seconds = async (headers: Record<string, string>) =>
    (await failure(Response.json({ error: 'Too many requests' }, { status: 429, headers }))).retryAfterSeconds;

  test("run from the time of the response to the reset, by the server's own clock", async () => {
    const headers = { 'x-ratelimit-reset': '2031-11-15T01:35:00.250000Z', date: 'Sat, 15 Nov 2031 01:33:30 GMT' };
    expect(await seconds(headers)).toBe(91);
  });

  test('are at least one', async () => {
    const headers = { 'x-ratelimit-reset': '2031-11-15T01:30:00.000000Z', date: 'Sat, 15 Nov 2031 01:33:30 GMT' };
    expect(await seconds(headers)).toBe(1);
  });

  test.for<Record<string, string>>([{}, { 'x-ratelimit-reset': 'soon', date: 'Sat, 15 Nov 2031 01:33:30 GMT' }])(
    'are 300 when the server does not say: %j',
    async (headers) => {
      expect(await seconds(headers)).toBe(300);
    },
  );
});
