import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { expectNoSecret, failureOf } from '../../../test/support/platform-stage.ts';
import type { Json } from '../../lib/json.ts';
import { platformClient } from '../kit/client.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';

const application = { id: 'client-1', secret: 'client-secret-0123456789' };
const now = new Date('2031-02-03T04:05:06Z');
const redirectUri = 'https://crier.example/connect/callback';
const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
const token = {
  token_type: 'bearer',
  expires_in: 7200,
  access_token: 'access-token-2',
  scope: 'tweet.read tweet.write users.read media.write offline.access',
  refresh_token: 'refresh-token-2',
};
const ann = { id: '2244994945', name: 'Ann Lee', username: 'annlee' };

/** A network that gives these answers, by path, and remembers what it was asked. */
async function vendor(answers: Record<string, { status?: number; body: Json }>) {
  const asked: { request: IncomingMessage; body: string }[] = [];
  const server = await serve(async (request, response) => {
    asked.push({ request, body: await new Response(request).text() });
    const { status = 200, body = {} } = answers[(request.url ?? '').replace(/\?.*/, '')] ?? { status: 404 };
    response.writeHead(status).end(JSON.stringify(body));
  });
  const access = { ...server.access(), now: () => now, applications: { twitter: application } };
  return { ...server, asked, client: platformClient(access, 'twitter', new AbortController().signal) };
}

test('the consent page is asked for no more than we need', async () => {
  await using x = await vendor({});
  const { url } = await connect.start(
    { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} },
    x.client,
  );
  expect(url.origin + url.pathname).toBe('https://x.com/i/oauth2/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: redirectUri,
    scope: 'tweet.read tweet.write users.read media.write offline.access',
    state: 'state-1',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
  });
});

test('a code becomes a grant with the scopes and the time that X gave', async () => {
  await using x = await vendor({
    '/2/oauth2/token': { body: { ...token, scope: 'tweet.read users.read offline.access' } },
    '/2/users/me': { body: { data: ann } },
  });
  expect(await connect.finish(callback, x.client)).toEqual([
    {
      account: expect.objectContaining({ id: '2244994945', handle: 'annlee' }),
      credentials: { accessToken: 'access-token-2', refreshToken: 'refresh-token-2' },
      scopes: ['tweet.read', 'users.read', 'offline.access'],
      expiresAt: new Date('2031-02-03T06:05:06Z'),
    },
  ]);
  const [exchange, me] = x.asked;
  expect(exchange?.request.headers).toMatchObject({
    authorization: `Basic ${btoa('client-1:client-secret-0123456789')}`,
    'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
  });
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: redirectUri,
    code_verifier: 'the-verifier-1',
  });
  expect(me?.request.headers.authorization).toBe('Bearer access-token-2');
});

test('a grant that would end after two hours is refused, and says why', async () => {
  const { refresh_token: _, ...passing } = token;
  await using x = await vendor({ '/2/oauth2/token': { body: passing } });
  const failure = await failureOf(connect.finish(callback, x.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('stay connected') });
});

test('an account has its larger picture, its address and what it pays for', async () => {
  const more = {
    profile_image_url: 'https://pbs.twimg.com/profile_images/1/a_normal.jpg',
    subscription_type: 'Premium',
  };
  await using x = await vendor({ '/2/users/me': { body: { data: { ...ann, ...more } } } });
  const account = await testConnection({ ...x.client, credentials, account: nobody });
  expect(account).toEqual({
    id: '2244994945',
    handle: 'annlee',
    displayName: 'Ann Lee',
    avatarUrl: 'https://pbs.twimg.com/profile_images/1/a_400x400.jpg',
    profileUrl: 'https://x.com/annlee',
    traits: { subscriptionType: 'Premium' },
  });
  expect(description.limitsFor(account.traits).text.max).toBe(25_000);
});

test('an account of which X says little has the limits of one that pays nothing', async () => {
  await using x = await vendor({ '/2/users/me': { body: { data: { ...ann, name: '' } } } });
  const account = await testConnection({ ...x.client, credentials, account: nobody });
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: null, traits: { subscriptionType: 'None' } });
  expect(description.limitsFor(account.traits).text.max).toBe(280);
});

test('a connection that works for nobody any more asks to connect again', async () => {
  const suspended = { title: 'Forbidden', type: 'https://api.x.com/2/problems/user-suspended', detail: 'Suspended' };
  await using x = await vendor({ '/2/users/me': { status: 403, body: suspended } });
  const failure = await failureOf(testConnection({ ...x.client, credentials, account: nobody }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('connect it again') });
});

test.for([
  [token, 'refresh-token-2'],
  [{ ...token, refresh_token: undefined }, 'refresh-token-1'],
] as const)('a refresh takes the new refresh token, and keeps the old where there is none', async ([body, kept]) => {
  await using x = await vendor({ '/2/oauth2/token': { body: JSON.parse(JSON.stringify(body)) } });
  expect(await connect.refresh?.(credentials, x.client)).toEqual({
    credentials: { accessToken: 'access-token-2', refreshToken: kept },
    expiresAt: new Date('2031-02-03T06:05:06Z'),
  });
  expect(x.asked.map(({ body }) => body)).toEqual(['grant_type=refresh_token&refresh_token=refresh-token-1']);
});

test('a refusal that repeats what was sent shows none of it', async () => {
  const said = `${callback.code} ${callback.codeVerifier} ${credentials.refreshToken} ${application.secret}`;
  const body = { error: 'invalid_request', error_description: said };
  await using x = await vendor({ '/2/oauth2/token': { status: 400, body } });
  const refused = await failureOf(connect.finish(callback, x.client));
  expectNoSecret(refused, [callback.code, callback.codeVerifier, application.secret]);
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, x.client)));
  expectNoSecret(expired, [credentials.refreshToken, application.secret]);
});

const nobody = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
