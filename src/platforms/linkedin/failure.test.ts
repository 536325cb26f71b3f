import { describe, expect, test } from 'vitest';
import { failureFrom } from '../../../test/support/publishing/failure-from.ts';
import { expectNoSecret } from '../../../test/support/stages/platform.ts';
import { failureIn } from './failure.ts';

const call = { now: new Date('2031-11-15T21:30:00Z'), secrets: ['AQX-secret-token'] };
const refusal = (status: number, body: object, headers: Record<string, string> = {}) =>
  failureFrom({ failureIn }, Response.json({ status, ...body }, { status, headers }), call);

describe('a refusal', () => {
  test.for([
    [400, 'VERSION_MISSING', 'A version must be present', 'unavailable'],
    [400, 'FIELD_LENGTH_TOO_LONG', 'Commentary is too long', 'rejected'],
    [400, 'INVALID_URN_ID', 'Not a URN', 'rejected'],
    [400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed processing', 'rejected'],
    [401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user', 'auth'],
    [401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 'auth'],
    [401, 'EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token', 'auth'],
    [403, 'ACCESS_DENIED', 'Not enough permissions to access: posts.CREATE.20260901', 'auth'],
    [403, 'RESHARE_DISABLED', 'Not reshareable', 'rejected'],
    [404, 'NOT_FOUND', 'Not found', 'rejected'],
    [409, 'CONFLICT', 'Please retry', 'unavailable'],
    [422, 'DUPLICATE_POST', 'Content is a duplicate of urn:li:share:7400000000000000001', 'rejected'],
    [426, 'NONEXISTENT_VERSION', 'Requested version 202508 is not active', 'unavailable'],
    [429, 'TOO_MANY_REQUESTS', 'Resource level throttle', 'rate_limited'],
  ] as const)('%i %s "%s" is "%s" with that reason, and nothing happened', async ([status, code, message, kind]) => {
    expect(await refusal(status, { code, message })).toMatchObject({
      kind,
      status,
      reason: `${code}: ${message}`,
      mayHaveHappened: false,
    });
  });

  test.for([
    [401, 65601, 'auth', 'REVOKED_ACCESS_TOKEN'],
    [401, 65602, 'auth', 'EXPIRED_ACCESS_TOKEN'],
    [403, 100, 'auth', 'ACCESS_DENIED'],
  ] as const)('%i with only the number %i is "%s"', async ([status, serviceErrorCode, kind, name]) => {
    const failed = await refusal(status, { serviceErrorCode, message: 'No.' });
    expect(failed).toMatchObject({ kind, reason: `${name}: No.` });
  });

  test('the reason has the details of a refused field', async () => {
    const inputErrors = [{ code: 'FIELD_LENGTH_TOO_LONG', description: 'commentary is 3001 characters long' }];
    const failed = await refusal(400, { message: 'Bad request', errorDetails: { inputErrors } });
    expect(failed).toMatchObject({
      kind: 'rejected',
      message: 'The text is too long for LinkedIn. Shorten it.',
      reason: 'FIELD_LENGTH_TOO_LONG: Bad request commentary is 3001 characters long',
    });
  });

  test('a post that LinkedIn has not finished creating can be retried', async () => {
    const failed = await refusal(400, { message: 'Unable to obtain activity for urn:li:share:1' });
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
  });

  test.for([
    [400, 'invalid_grant', 'auth'],
    [400, 'invalid_request', 'auth'],
    [401, 'invalid_client', 'unavailable'],
  ] as const)('%i %s at the sign-in is "%s"', async ([status, error, kind]) => {
    const failed = await refusal(status, { error, error_description: 'Unable to retrieve access token' });
    expect(failed).toMatchObject({ kind, reason: `${error}: Unable to retrieve access token` });
  });

  test.for([500, 502, 503, 504, 520])('%i is "unavailable" and in doubt', async (status) => {
    expect(await refusal(status, {})).toMatchObject({ kind: 'unavailable', status, mayHaveHappened: true });
  });

  test.for([
    [400, 'unavailable'],
    [401, 'auth'],
    [413, 'too_large'],
  ] as const)('a page with %i, from a proxy in front of the API, is "%s"', async ([status, kind]) => {
    const page = new Response('<html>No.</html>', { status, statusText: 'No' });
    expect(await failureFrom({ failureIn }, page, call)).toMatchObject({
      kind,
      reason: `${status} No`,
      mayHaveHappened: false,
    });
  });

  test('a token that LinkedIn repeats is redacted', async () => {
    const failed = await refusal(401, { message: 'Invalid token: AQX-secret-token' });
    expect(failed.reason).toBe('Invalid token: [secret]');
    expectNoSecret(failed, call.secrets);
  });
});

describe('seconds to wait after 429', () => {
  test('run to midnight UTC, when quotas reset', async () => {
    expect((await refusal(429, {})).retryAfterSeconds).toBe(2.5 * 3600);
  });

  test('are those that LinkedIn gives', async () => {
    expect((await refusal(429, {}, { 'retry-after': '90' })).retryAfterSeconds).toBe(90);
  });

  test('are at least a minute', async () => {
    const lastSecond = { ...call, now: new Date('2031-11-15T23:59:59Z') };
    expect((await failureFrom({ failureIn }, Response.json({}, { status: 429 }), lastSecond)).retryAfterSeconds).toBe(
      60,
    );
  });
});
