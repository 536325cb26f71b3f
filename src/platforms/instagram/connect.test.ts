import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { expectNoSecret, failureOf } from '../../../test/support/platform-stage.ts';
import { platformClient } from '../kit/client.ts';
import { connect, testConnection } from './connect.ts';

const application = { id: 'client-1', secret: 'client-secret-0123456789' };
const now = new Date('2031-02-03T04:05:06Z');
const redirectUri = 'https://crier.example/connect/callback';
const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
const credentials = { accessToken: 'access-token-1', userId: '17841405793187218' };
const permissions = ['instagram_business_basic', 'instagram_business_content_publish'];
// As it is on the wire: the number is too large for JavaScript.
const brief = `{"access_token":"brief-token-1","user_id":17841405793187218,"permissions":${JSON.stringify(permissions)}}`;
const token = JSON.stringify({ access_token: 'access-token-2', token_type: 'bearer', expires_in: 5_184_000 });
const ann = { user_id: '17841405793187218', username: 'annshop', name: 'Ann', account_type: 'Business', id: '99' };

type Answers = Record<string, string | { status: number; body: string }>;

/** A network that gives these answers, by path, and remembers what it was asked. */
async function vendor(answers: Answers) {
  const asked: { request: IncomingMessage; url: URL; form: URLSearchParams }[] = [];
  const server = await serve(async (request, response) => {
    const url = new URL(request.url ?? '', 'https://graph.instagram.com');
    asked.push({ request, url, form: new URLSearchParams(await new Response(request).text()) });
    const answer = answers[url.pathname] ?? { status: 404, body: '{}' };
    const { status, body } = typeof answer === 'string' ? { status: 200, body: answer } : answer;
    response.writeHead(status).end(body);
  });
  const access = { ...server.access(), now: () => now, applications: { instagram: application } };
  return { ...server, asked, client: platformClient(access, 'instagram', new AbortController().signal) };
}

const willing = {
  '/oauth/access_token': brief,
  '/access_token': token,
  '/refresh_access_token': token,
  '/v25.0/me': JSON.stringify(ann),
};

test('the consent page is asked for no more than we need', async () => {
  await using instagram = await vendor({});
  const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
  const { url } = await connect.start(request, instagram.client);
  expect(url.origin + url.pathname).toBe('https://www.instagram.com/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: redirectUri,
    scope: 'instagram_business_basic,instagram_business_content_publish',
    state: 'state-1',
  });
});

test('a code becomes a token of sixty days, with the scopes that were granted', async () => {
  await using instagram = await vendor(willing);
  expect(await connect.finish({ ...callback, code: 'the-code-1#_' }, instagram.client)).toEqual([
    {
      account: {
        id: '17841405793187218',
        handle: 'annshop',
        displayName: 'Ann',
        avatarUrl: null,
        profileUrl: 'https://www.instagram.com/annshop/',
        traits: {},
      },
      credentials: { accessToken: 'access-token-2', userId: '17841405793187218' },
      scopes: permissions,
      expiresAt: new Date('2031-04-04T04:05:06Z'),
    },
  ]);
  const [exchange, longer, me] = instagram.asked;
  expect(Object.fromEntries(exchange?.form ?? [])).toEqual({
    client_id: 'client-1',
    client_secret: application.secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code: 'the-code-1',
  });
  expect(Object.fromEntries(longer?.url.searchParams ?? [])).toEqual({
    grant_type: 'ig_exchange_token',
    client_secret: application.secret,
    access_token: 'brief-token-1',
  });
  expect(me?.request.headers.authorization).toBe('Bearer access-token-2');
});

test.for([
  ['wrapped in a list', `{"data":[${brief}]}`, permissions],
  [
    'with permissions in one string',
    brief.replace(/\[.*\]/, '"instagram_business_basic, other"'),
    ['instagram_business_basic', 'other'],
  ],
  ['without permissions', '{"access_token":"brief-token-1"}', []],
] as const)('a token that comes %s is understood', async ([, body, scopes]) => {
  await using instagram = await vendor({ ...willing, '/oauth/access_token': body });
  expect(await connect.finish(callback, instagram.client)).toMatchObject([{ scopes }]);
});

test('an account may come wrapped in a list, and without a name', async () => {
  const { name: _, ...nameless } = { ...ann, profile_picture_url: 'https://cdn.example/ann.jpg' };
  await using instagram = await vendor({ '/v25.0/me': JSON.stringify({ data: [nameless] }) });
  const account = await testConnection({ ...instagram.client, credentials, account: nobody });
  expect(account).toMatchObject({ displayName: 'annshop', avatarUrl: 'https://cdn.example/ann.jpg' });
});

test('a refresh takes the new token, and keeps the account', async () => {
  await using instagram = await vendor(willing);
  expect(await connect.refresh?.(credentials, instagram.client)).toEqual({
    credentials: { accessToken: 'access-token-2', userId: '17841405793187218' },
    expiresAt: new Date('2031-04-04T04:05:06Z'),
  });
  expect(instagram.asked.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    { grant_type: 'ig_refresh_token', access_token: 'access-token-1' },
  ]);
});

test('an answer without a token is not taken for one', async () => {
  await using instagram = await vendor({ '/refresh_access_token': '{"access_token":"","expires_in":5184000}' });
  const failure = await failureOf(Promise.resolve(connect.refresh?.(credentials, instagram.client)));
  expect(failure.kind).toBe('unavailable');
});

test('a connection that was revoked asks to connect again', async () => {
  const body = JSON.stringify({ error: { message: 'Session has expired', code: 190, error_subcode: 458 } });
  await using instagram = await vendor({ '/v25.0/me': { status: 400, body } });
  const failure = await failureOf(testConnection({ ...instagram.client, credentials, account: nobody }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Connect the account again') });
});

test('a sign-in that is refused shows nothing of what was sent', async () => {
  const said = `${callback.code} ${application.secret} brief-token-1 ${credentials.accessToken}`;
  const oauth = { status: 400, body: JSON.stringify({ error_type: 'OAuthException', error_message: said }) };
  const graph = { status: 400, body: JSON.stringify({ error: { message: said, code: 100 } }) };
  const refusals: Answers[] = [
    { '/oauth/access_token': oauth },
    { '/oauth/access_token': brief, '/access_token': graph },
  ];
  for (const answers of refusals) {
    await using instagram = await vendor(answers);
    const failure = await failureOf(connect.finish(callback, instagram.client));
    expect(failure.kind).toBe('auth');
    expectNoSecret(failure, [application.secret]);
  }
  await using instagram = await vendor({ '/oauth/access_token': oauth, '/refresh_access_token': graph });
  expectNoSecret(await failureOf(connect.finish(callback, instagram.client)), [callback.code]);
  const refused = await failureOf(Promise.resolve(connect.refresh?.(credentials, instagram.client)));
  expect(refused.kind).toBe('auth');
  expectNoSecret(refused, [credentials.accessToken]);
});

const nobody = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
