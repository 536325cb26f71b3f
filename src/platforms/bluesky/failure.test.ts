import { describe, expect, test } from 'vitest';
import { failureFrom } from '../../../test/support/publishing/failure-from.ts';
import { failureIn, hasErrorName, jobFailure } from './failure.ts';

const refusal = (status: number, error: string, message?: string, headers: Record<string, string> = {}) =>
  failureFrom({ failureIn }, Response.json({ error, message }, { status, headers }));

test.for([
  [401, 'AuthenticationRequired', 'Invalid identifier or password', 'auth'],
  [401, 'AuthMissing', 'Authentication Required', 'auth'],
  [401, 'AuthFactorTokenRequired', 'A sign in code has been sent', 'auth'],
  [400, 'ExpiredToken', 'Token has expired', 'auth'],
  [400, 'InvalidToken', 'Token could not be verified', 'auth'],
  [403, 'ScopeMissingError', 'Missing required scope', 'auth'],
  [403, 'AccountNotFound', 'Could not find account', 'auth'],
  [401, 'AccountTakedown', 'Account has been taken down', 'auth'],
  [401, 'AccountDeactivated', 'Account is deactivated', 'auth'],
  [400, 'RepoTakendown', 'Repo has been taken down', 'auth'],
  [400, 'RepoDeactivated', 'Repo has been deactivated', 'auth'],
  [401, 'SomethingNew', 'No.', 'auth'],
  [400, 'InvalidRequest', 'Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301)', 'rejected'],
  [400, 'InvalidRequest', 'blob too big (maximum 2000000, got 3000000) at $.record.embed.images[0].image', 'too_large'],
  [400, 'InvalidRequest', 'array too big (maximum 4, got 5)', 'rejected'],
  [400, 'BlobNotFound', 'Could not find blob', 'rejected'],
  [400, 'InvalidSwap', 'Record was at bafy', 'rejected'],
  [400, 'SomethingNew', 'No.', 'rejected'],
  [400, 'constructor', 'No.', 'rejected'],
  [413, 'PayloadTooLarge', 'request entity too large', 'too_large'],
  [413, 'SomethingNew', 'No.', 'too_large'],
  [429, 'RateLimitExceeded', 'Rate Limit Exceeded', 'rate_limited'],
  [429, 'SomethingNew', 'No.', 'rate_limited'],
  [500, 'InternalServerError', 'Internal Server Error', 'unavailable'],
  [501, 'MethodNotImplemented', 'Method Not Implemented', 'unavailable'],
  [502, 'UpstreamFailure', 'Upstream service unreachable', 'unavailable'],
] as const)('%i %s "%s" is "%s" with that reason', async ([status, error, message, kind]) => {
  expect(await refusal(status, error, message)).toMatchObject({ kind, status, reason: `${error}: ${message}` });
});

test.for([
  [413, 'Payload Too Large', 'too_large', false],
  [403, 'Forbidden', 'unavailable', false],
  [502, 'Bad Gateway', 'unavailable', true],
] as const)('a page with %i %s is "%s"', async ([status, statusText, kind, inDoubt]) => {
  const failed = await failureFrom({ failureIn }, new Response('<html>No.</html>', { status, statusText }));
  expect(failed).toMatchObject({ kind, reason: `${status} ${statusText}`, mayHaveHappened: inDoubt });
});

test('a secret that Bluesky repeats is redacted', async () => {
  const answer = Response.json({ error: 'InvalidToken', message: 'Cannot read eyJ0-secret' }, { status: 400 });
  expect((await failureFrom({ failureIn }, answer, { secrets: ['eyJ0-secret'] })).reason).toBe(
    'InvalidToken: Cannot read [secret]',
  );
});

test('a refusal is recognized by its error name', async () => {
  expect(hasErrorName(await refusal(400, 'RecordNotFound', 'Could not locate record'), 'RecordNotFound')).toBe(true);
  expect(hasErrorName(await refusal(400, 'RecordNotFound'), 'RecordNotFound')).toBe(true);
  expect(hasErrorName(await refusal(400, 'InvalidRequest', 'RecordNotFound'), 'RecordNotFound')).toBe(false);
  expect(hasErrorName(new Error('RecordNotFound'), 'RecordNotFound')).toBe(false);
});

describe('seconds to wait after 429', () => {
  const seconds = async (headers: Record<string, string>) =>
    (await refusal(429, 'RateLimitExceeded', 'Slow down', headers)).retryAfterSeconds;

  test('are those that Bluesky gives', async () => {
    expect(await seconds({ 'retry-after': '91', 'ratelimit-reset': '1' })).toBe(91);
  });

  test("run to the reset by the server's own clock", async () => {
    const reset = String(Date.parse('2031-11-15T01:35:00Z') / 1000);
    expect(await seconds({ 'ratelimit-reset': reset, date: 'Sat, 15 Nov 2031 01:33:30 GMT' })).toBe(90);
    expect(await seconds({ 'ratelimit-reset': reset, date: 'Sat, 15 Nov 2031 02:33:30 GMT' })).toBe(1);
  });

  test('are a whole window when the server does not say', async () => {
    expect(await seconds({})).toBe(300);
  });
});

test.for([
  ['encoding_failure', 'rejected'],
  ['generic_failure', 'rejected'],
  [undefined, 'rejected'],
  ['pds_upload_unsupported_blob_size', 'too_large'],
] as const)('a video job that failed with %s is "%s"', ([failureCode, kind]) => {
  expect(jobFailure({ failureCode, message: 'Cannot decode' })).toMatchObject({ kind, reason: 'Cannot decode' });
  expect(jobFailure({ failureCode }).reason).toBe(failureCode ?? 'JOB_STATE_FAILED');
});
