import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { expectNoSecret, failureOf } from '../../../test/support/platform-stage.ts';
import type { Json } from '../../lib/json.ts';
import { platformClient } from '../kit/client.ts';
import { connect, testConnection } from './connect.ts';

const application = { id: 'client-key-1', secret: 'client-secret-0123456789' };
const now = new Date('2031-02-03T04:05:06Z');
const redirectUri = 'https://crier.example/connect/callback';
const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
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

/** A network that gives these answers, by path, and remembers what it was asked. */
async function vendor(answers: Record<string, { status?: number; body: Json }>) {
  const asked: { request: IncomingMessage; body: string }[] = [];
  const server = await serve(async (request, response) => {
    asked.push({ request, body: await new Response(request).text() });
    const { status = 200, body = {} } = answers[(request.url ?? '').replace(/\?.*/, '')] ?? { status: 404 };
    response.writeHead(status).end(JSON.stringify(body));
  });
  const access = { ...server.access(), now: () => now, applications: { tiktok: application } };
  return { ...server, asked, client: platformClient(access, 'tiktok', new AbortController().signal) };
}

test('the consent page is asked for what we need, under the names that TikTok uses', async () => {
  await using tiktok = await vendor({});
  const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
  const { url } = await connect.start(request, tiktok.client);
  expect(url.origin + url.pathname).toBe('https://www.tiktok.com/v2/auth/authorize/');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_key: 'client-key-1',
    response_type: 'code',
    scope,
    redirect_uri: redirectUri,
    state: 'state-1',
  });
});

test('a code becomes a grant that tells the end of both tokens', async () => {
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
  const [exchange, me] = tiktok.asked;
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    client_key: 'client-key-1',
    client_secret: application.secret,
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: redirectUri,
  });
  expect(me?.request.headers.authorization).toBe('Bearer act.access-2');
});

test.for(scope.split(','))('a person who unticks %s is asked to connect again', async (unticked) => {
  const granted = scope.split(',').filter((one) => one !== unticked);
  await using tiktok = await vendor({ [tokenPath]: { body: { ...token, scope: granted.join(',') } } });
  const failure = await failureOf(connect.finish(callback, tiktok.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('leave everything ticked') });
});

test.for([
  [token, 'rft.refresh-2'],
  [{ ...token, refresh_token: undefined }, 'rft.refresh-1'],
] as const)('a refresh takes the new refresh token, and keeps the old where there is none', async ([body, kept]) => {
  await using tiktok = await vendor({ [tokenPath]: { body: JSON.parse(JSON.stringify(body)) } });
  expect(await connect.refresh?.(credentials, tiktok.client)).toEqual({
    credentials: { accessToken: 'act.access-2', refreshToken: kept, openId: '-000ann' },
    expiresAt: new Date('2031-02-03T06:05:06Z'),
    refreshExpiresAt: new Date('2032-02-03T04:05:06Z'),
  });
  expect(Object.fromEntries(new URLSearchParams(tiktok.asked[0]?.body))).toEqual({
    client_key: 'client-key-1',
    client_secret: application.secret,
    grant_type: 'refresh_token',
    refresh_token: 'rft.refresh-1',
  });
});

test('an end of the refresh token that TikTok does not tell is not made up', async () => {
  const { refresh_expires_in: _, ...rest } = token;
  await using tiktok = await vendor({ [tokenPath]: { body: rest } });
  expect(await connect.refresh?.(credentials, tiktok.client)).toMatchObject({ refreshExpiresAt: null });
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

test('an account without a name of its own is shown by its handle', async () => {
  await using tiktok = await vendor({ [userPath]: user({ open_id: '-000ann', username: 'annlee' }) });
  const account = await testConnection({ ...tiktok.client, credentials, account: nobody });
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: null });
});

test('a connection that was revoked asks to connect again', async () => {
  const body = { data: {}, error: { code: 'access_token_invalid', message: 'It is invalid.', log_id: '1' } };
  await using tiktok = await vendor({ [userPath]: { status: 401, body } });
  const failure = await failureOf(testConnection({ ...tiktok.client, credentials, account: nobody }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Connect the account again') });
});

test('a refusal that repeats what was sent shows none of it', async () => {
  const said = `${callback.code} ${credentials.refreshToken} ${application.secret}`;
  await using tiktok = await vendor({ [tokenPath]: { body: { error: 'invalid_request', error_description: said } } });
  const refused = await failureOf(connect.finish(callback, tiktok.client));
  expectNoSecret(refused, [callback.code, application.secret]);
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, tiktok.client)));
  expectNoSecret(expired, [credentials.refreshToken, application.secret]);
});

const nobody = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
