import { expect, test } from 'vitest';
import {
  application,
  authRequest,
  callback,
  oauthVendor,
  vendorParameters,
} from '../../../test/support/browser/sign-in.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { connect, testConnection } from './connect.ts';

const credentials = { accessToken: 'act.access-1', refreshToken: 'rft.refresh-1', openId: '-000ann' };
const scope = 'user.info.basic,user.info.profile,video.publish';
const token = {
  access_token: 'act.access-2',
  expires_in: 7200,
  open_id: '-000ann',
  refresh_expires_in: 31_536_000,
  refresh_token: 'rft.refresh-2',
  scope,
  token_type: 'Bearer',
};
const ann = {
  open_id: '-000ann',
  username: 'annlee',
  display_name: 'Ann Lee',
  avatar_url: 'https://p16.example/a.jpg',
};
const user = (fields: Record<string, Json>) => ({
  body: { data: { user: fields }, error: { code: 'ok', message: '', log_id: '1' } },
});
const tokenPath = '/v2/oauth/token/';
const userPath = '/v2/user/info/';

const vendor = (answers: Parameters<typeof oauthVendor>[1]) => oauthVendor('tiktok', answers);

test('the consent page asks for what the service needs, under the names that TikTok uses', async () => {
  await using tiktok = await vendor({});
  const { url } = await connect.start(authRequest, tiktok.client);
  expect(url.origin + url.pathname).toBe('https://www.tiktok.com/v2/auth/authorize/');
  expect(vendorParameters(url)).toEqual({ client_key: application.id, scope });
});

test('a code becomes a grant with the expiry of both tokens', async () => {
  await using tiktok = await vendor({ [tokenPath]: { body: token }, [userPath]: user(ann) });
  expect(await connect.finish(callback, tiktok.client)).toEqual([
    {
      account: {
        id: '-000ann',
        handle: 'annlee',
        displayName: 'Ann Lee',
        avatarUrl: 'https://p16.example/a.jpg',
        profileUrl: 'https://www.tiktok.com/@annlee',
        traits: {},
      },
      credentials: { accessToken: 'act.access-2', refreshToken: 'rft.refresh-2', openId: '-000ann' },
      scopes: ['user.info.basic', 'user.info.profile', 'video.publish'],
      expiresAt: new Date('2031-02-03T06:05:06Z'),
      refreshExpiresAt: new Date('2032-02-03T04:05:06Z'),
    },
  ]);
  const [exchange, me] = tiktok.requests;
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    client_key: application.id,
    client_secret: application.secret,
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: callback.redirectUri,
  });
  expect(me?.headers.authorization).toBe('Bearer act.access-2');
});

test.for(scope.split(','))('a person who unticks %s has to connect again', async (unticked) => {
  const granted = scope.split(',').filter((one) => one !== unticked);
  await using tiktok = await vendor({ [tokenPath]: { body: { ...token, scope: granted.join(',') } } });
  const failure = await failureOf(connect.finish(callback, tiktok.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('allow everything') });
});

test.for([
  [token, 'rft.refresh-2'],
  [{ ...token, refresh_token: undefined }, 'rft.refresh-1'],
] as const)('a refresh stores the new refresh token, or keeps the old one if there is none', async ([body, kept]) => {
  await using tiktok = await vendor({ [tokenPath]: { body: JSON.parse(JSON.stringify(body)) } });
  expect(await connect.refresh?.(credentials, tiktok.client)).toEqual({
    credentials: { accessToken: 'act.access-2', refreshToken: kept, openId: '-000ann' },
    expiresAt: new Date('2031-02-03T06:05:06Z'),
    refreshExpiresAt: new Date('2032-02-03T04:05:06Z'),
  });
  expect(Object.fromEntries(new URLSearchParams(tiktok.requests[0]?.body))).toEqual({
    client_key: application.id,
    client_secret: application.secret,
    grant_type: 'refresh_token',
    refresh_token: 'rft.refresh-1',
  });
});

test('without optional fields everything requested is granted, and the expiries are unknown', async () => {
  const { access_token, refresh_token, open_id } = token;
  await using tiktok = await vendor({
    [tokenPath]: { body: { access_token, refresh_token, open_id } },
    [userPath]: user(ann),
  });
  expect(await connect.finish(callback, tiktok.client)).toMatchObject([
    { scopes: scope.split(','), expiresAt: null, refreshExpiresAt: null },
  ]);
});

test.for([
  ['invalid_grant', 200, 'auth'],
  ['access_denied', 200, 'auth'],
  ['invalid_client', 200, 'rejected'],
  ['temporarily_unavailable', 200, 'unavailable'],
  ['server_error', 503, 'unavailable'],
] as const)('at the sign-in, %s with status %i is "%s"', async ([error, status, kind]) => {
  const body = { error, error_description: 'What TikTok says.', log_id: '1' };
  await using tiktok = await vendor({ [tokenPath]: { status, body } });
  const failure = await failureOf(Promise.resolve(connect.refresh?.(credentials, tiktok.client)));
  expect(failure).toMatchObject({ kind, status, reason: `${error}: What TikTok says.` });
});

test('an account without a display name has its handle as one', async () => {
  await using tiktok = await vendor({ [userPath]: user({ open_id: '-000ann', username: 'annlee' }) });
  const account = await testConnection({ ...tiktok.client, credentials, account: noAccount });
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: null });
});

test('a revoked connection has to be reconnected', async () => {
  const body = { data: {}, error: { code: 'access_token_invalid', message: 'It is invalid.', log_id: '1' } };
  await using tiktok = await vendor({ [userPath]: { status: 401, body } });
  const failure = await failureOf(testConnection({ ...tiktok.client, credentials, account: noAccount }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Reconnect the account') });
});

test('a refusal that repeats what was sent shows no secret', async () => {
  const said = `${callback.code} ${credentials.refreshToken} ${application.secret}`;
  await using tiktok = await vendor({ [tokenPath]: { body: { error: 'invalid_request', error_description: said } } });
  const refused = await failureOf(connect.finish(callback, tiktok.client));
  expectNoSecret(refused, [callback.code, application.secret]);
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, tiktok.client)));
  expectNoSecret(expired, [credentials.refreshToken, application.secret]);
});

const noAccount = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
