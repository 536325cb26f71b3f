import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { api, call, PhotoInit, Status } from './api.ts';

const accessToken = 'act.0123456789';

async function callTo<T extends ZodType>(answer: T, status: number, body: string) {
  await using server = await serve((_request, response) => void response.writeHead(status).end(body));
  const ctx = platformClient(server.access(), 'tiktok', new AbortController().signal);
  return await call(answer, { url: `${api}/post/`, accessToken, body: {} }, ctx);
}
const refusal = (code: string, message = '') => JSON.stringify({ data: {}, error: { code, message, log_id: '1' } });

test.for(['<html>', '', '[]', '{}', '{"data":{"publish_id":"p"}}', '{"data":{},"error":{"code":"ok"}}'])(
  'an answer without the envelope or the data is "unavailable" and in doubt: %j',
  async (body) => {
    const failed = await failureOf(callTo(PhotoInit, 200, body));
    expect(failed).toMatchObject({ kind: 'unavailable', status: 200, mayHaveHappened: true });
  },
);

test('the id of a post keeps all of its digits', async () => {
  const body =
    '{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7400000000000000123]},"error":{"code":"ok"}}';
  const { publicaly_available_post_id } = await callTo(Status, 200, body);
  expect(publicaly_available_post_id).toEqual(['7400000000000000123']);
});

test('a refusal with a status of success is a failure', async () => {
  const failed = await failureOf(callTo(PhotoInit, 200, refusal('spam_risk_user_banned_from_posting', 'Banned.')));
  expect(failed).toMatchObject({ kind: 'rejected', status: 200, mayHaveHappened: false });
  expect(failed.reason).toBe('spam_risk_user_banned_from_posting: Banned.');
});

test.for([
  [401, refusal('access_token_invalid'), 'auth', null],
  [401, '', 'auth', null],
  [401, refusal('scope_not_authorized'), 'auth', null],
  [400, refusal('scope_permission_missed'), 'auth', null],
  [400, refusal('invalid_params'), 'rejected', null],
  [400, refusal('something_new'), 'rejected', null],
  [403, refusal('spam_risk_too_many_posts'), 'rate_limited', 3600],
  [200, refusal('reached_active_user_cap'), 'rate_limited', 3600],
  [403, refusal('privacy_level_option_mismatch'), 'rejected', null],
  [403, refusal('url_ownership_unverified'), 'rejected', null],
  [403, '<html>', 'unavailable', null],
  [413, '', 'too_large', null],
  [429, refusal('rate_limit_exceeded'), 'rate_limited', 60],
  [429, '', 'rate_limited', 60],
] as const)('%i %s is "%s"', async ([status, body, kind, retryAfterSeconds]) => {
  const failed = await failureOf(callTo(PhotoInit, status, body));
  expect(failed).toMatchObject({ kind, status, retryAfterSeconds, mayHaveHappened: false });
  expect(failed.reason).toMatch(/\S/);
});

test.for([refusal('internal_error'), refusal('invalid_params'), '<html>'])(
  'a server error is "unavailable" and in doubt, whatever it says: %s',
  async (body) => {
    const failed = await failureOf(callTo(PhotoInit, 500, body));
    expect(failed).toMatchObject({ kind: 'unavailable', status: 500, mayHaveHappened: true });
  },
);

test('the message says what an unaudited application can do', async () => {
  const failed = await failureOf(callTo(PhotoInit, 403, refusal('unaudited_client_can_only_post_to_private_accounts')));
  expect(failed.kind).toBe('rejected');
  expect(failed.message).toContain(
    'Until TikTok has audited this application, it can only post privately: choose SELF_ONLY.',
  );
});

test('an access token that TikTok repeats is redacted', async () => {
  const failed = await failureOf(callTo(PhotoInit, 400, refusal('invalid_params', `Bearer ${accessToken}`)));
  expect(failed.reason).toBe('invalid_params: Bearer [secret]');
});
