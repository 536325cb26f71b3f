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
const token = JSON.stringify({ access_token: 'access-token-2', token_type: 'bearer', expires_in: 5_184_000 });
const ann = { id: '17841405793187218', username: 'annlee', name: 'Ann', is_verified: false };
const granted = (...scopes: string[]) => JSON.stringify({ data: { is_valid: true, scopes } });
const nobody = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };

type Answers = Record<string, string | { status: number; body: string }>;

/** A network that gives these answers, by path, and remembers what it was asked. */
async function vendor(answers: Answers) {
  const asked: { request: IncomingMessage; url: URL; form: URLSearchParams }[] = [];
  const server = await serve(async (request, response) => {
    const url = new URL(request.url ?? '', 'https://graph.threads.net');
    asked.push({ request, url, form: new URLSearchParams(await new Response(request).text()) });
    const answer = answers[url.pathname] ?? { status: 404, body: '{}' };
    const { status, body } = typeof answer === 'string' ? { status: 200, body: answer } : answer;
    response.writeHead(status).end(body);
  });
  const access = { ...server.access(), now: () => now, applications: { threads: application } };
  return { ...server, asked, client: platformClient(access, 'threads', new AbortController().signal) };
}

const willing = {
  // As it is on the wire: the number is too large for JavaScript.
  '/oauth/access_token': '{"access_token":"brief-token-1","user_id":17841405793187218}',
  '/access_token': token,
  '/refresh_access_token': token,
  '/v1.0/me': JSON.stringify(ann),
  '/v1.0/debug_token': granted('threads_basic', 'threads_content_publish', 'threads_manage_replies'),
};

test('the consent page is asked for no more than we need', async () => {
  await using threads = await vendor({});
  const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
  const { url } = await connect.start(request, threads.client);
  expect(url.origin + url.pathname).toBe('https://threads.net/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: redirectUri,
    scope: 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies',
    state: 'state-1',
  });
});

test('a code becomes a token of sixty days, with the scopes that were granted', async () => {
  await using threads = await vendor(willing);
  expect(await connect.finish({ ...callback, code: 'the-code-1#_' }, threads.client)).toEqual([
    {
      account: {
        id: '17841405793187218',
        handle: 'annlee',
        displayName: 'Ann',
        avatarUrl: null,
        profileUrl: 'https://www.threads.com/@annlee',
        traits: { canReply: true },
      },
      credentials: { accessToken: 'access-token-2', userId: '17841405793187218' },
      scopes: ['threads_basic', 'threads_content_publish', 'threads_manage_replies'],
      expiresAt: new Date('2031-04-04T04:05:06Z'),
    },
  ]);
  const [exchange, longer, me, facts] = threads.asked;
  expect(Object.fromEntries(exchange?.form ?? [])).toEqual({
    client_id: 'client-1',
    client_secret: application.secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code: 'the-code-1',
  });
  expect(Object.fromEntries(longer?.url.searchParams ?? [])).toEqual({
    grant_type: 'th_exchange_token',
    client_secret: application.secret,
    access_token: 'brief-token-1',
  });
  for (const asked of [me, facts]) expect(asked?.request.headers.authorization).toBe('Bearer access-token-2');
  expect(facts?.url.searchParams.get('input_token')).toBe('access-token-2');
});

test('who did not grant replies cannot reply', async () => {
  await using threads = await vendor({ ...willing, '/v1.0/debug_token': granted('threads_basic') });
  const [grant] = await connect.finish(callback, threads.client);
  expect(grant).toMatchObject({ scopes: ['threads_basic'], account: { traits: { canReply: false } } });
});

test.for([
  ['fails', { status: 500, body: '' }],
  ['knows nothing of the token', JSON.stringify({ data: { is_valid: false, scopes: [] } })],
] as const)('what was granted stays as it was known where Threads %s', async ([, answer]) => {
  await using threads = await vendor({ ...willing, '/v1.0/debug_token': answer });
  const [grant] = await connect.finish(callback, threads.client);
  expect(grant).toMatchObject({ scopes: [], account: { traits: {} } });
  const known = { ...nobody, traits: { canReply: true } };
  const account = await testConnection({ ...threads.client, credentials, account: known });
  expect(account).toMatchObject({ handle: 'annlee', traits: { canReply: true } });
});

test('an account may have a picture, and no name', async () => {
  const { name: _, ...nameless } = { ...ann, threads_profile_picture_url: 'https://cdn.example/ann.jpg' };
  await using threads = await vendor({ ...willing, '/v1.0/me': JSON.stringify(nameless) });
  const account = await testConnection({ ...threads.client, credentials, account: nobody });
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: 'https://cdn.example/ann.jpg' });
});

test('a refresh takes the new token, and keeps the account', async () => {
  await using threads = await vendor(willing);
  expect(await connect.refresh?.(credentials, threads.client)).toEqual({
    credentials: { accessToken: 'access-token-2', userId: '17841405793187218' },
    expiresAt: new Date('2031-04-04T04:05:06Z'),
  });
  expect(threads.asked.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    { grant_type: 'th_refresh_token', access_token: 'access-token-1' },
  ]);
});

test('a connection that was revoked asks to connect again', async () => {
  const body = JSON.stringify({ error: { message: 'Session has expired', code: 190, error_subcode: 458 } });
  await using threads = await vendor({ '/v1.0/me': { status: 400, body } });
  const failure = await failureOf(testConnection({ ...threads.client, credentials, account: nobody }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Connect the account again') });
});

test('a sign-in that is refused shows nothing of what was sent', async () => {
  const said = `${callback.code} ${application.secret} ${credentials.accessToken}`;
  const oauth = { status: 400, body: JSON.stringify({ error_type: 'OAuthException', error_message: said }) };
  const graph = { status: 400, body: JSON.stringify({ error: { message: said, code: 100 } }) };
  await using threads = await vendor({ '/oauth/access_token': oauth, '/refresh_access_token': graph });
  const refused = await failureOf(connect.finish(callback, threads.client));
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, threads.client)));
  expect([refused.kind, expired.kind]).toEqual(['auth', 'auth']);
  expectNoSecret(refused, [callback.code, application.secret]);
  expectNoSecret(expired, [credentials.accessToken]);
});
