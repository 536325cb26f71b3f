import { expect, test } from 'vitest';
import { type GraphAnswer, graphServer, redirectUri } from '../../../test/support/servers/graph.ts';
import { connect, testConnection } from './connect.ts';

const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
const profile = { id: '17841405793187218', username: 'annlee', name: 'Ann', is_verified: false };
const granted = (...scopes: string[]) => ({ data: { is_valid: true, scopes } });
const allScopes = ['threads_basic', 'threads_content_publish', 'threads_manage_replies', 'threads_read_replies'];

const vendor = (details: GraphAnswer = granted(...allScopes), me: GraphAnswer = profile) =>
  graphServer('threads', {
    'POST /oauth/access_token': [{ access_token: 'short-token-1' }],
    'GET /access_token': [{ access_token: 'access-token-2', token_type: 'bearer', expires_in: 5_184_000 }],
    'GET /me': [me],
    'GET /debug_token': [details],
  });

test('the consent page asks for the scopes that we need', async () => {
  await using threads = await vendor();
  const { url } = await connect.start({ redirectUri, state: 's', codeChallenge: 'c', fields: {} }, threads.client);
  expect(`${url}`).toMatch(/^https:\/\/threads\.net\/oauth\/authorize\?/);
  const query = { response_type: 'code', client_id: 'client-1', redirect_uri: redirectUri, state: 's' };
  expect(Object.fromEntries(url.searchParams)).toEqual({ ...query, scope: allScopes.join(',') });
});

test('an account is connected with the scopes that were granted', async () => {
  await using threads = await vendor();
  const [grant] = await connect.finish(callback, threads.client);
  expect(grant?.scopes).toEqual(allScopes);
  expect(grant?.account).toEqual({
    id: '17841405793187218',
    handle: 'annlee',
    displayName: 'Ann',
    avatarUrl: null,
    profileUrl: 'https://www.threads.com/@annlee',
    traits: { canReply: true },
  });
  expect(threads.asked.at(-1)).toMatchObject({
    authorization: undefined,
    query: { input_token: 'access-token-2', access_token: 'access-token-2' },
  });
});

test('an account that did not grant replies cannot reply', async () => {
  await using threads = await vendor(granted('threads_basic'));
  const [grant] = await connect.finish(callback, threads.client);
  expect(grant).toMatchObject({ scopes: ['threads_basic'], account: { traits: { canReply: false } } });
});

test.for<[title: string, details: GraphAnswer]>([
  ['fails', { status: 500 }],
  ['calls the token invalid', { data: { is_valid: false, scopes: [] } }],
])('the known grants stay where Threads %s', async ([, details]) => {
  await using threads = await vendor(details);
  const [grant] = await connect.finish(callback, threads.client);
  expect(grant).toMatchObject({ scopes: [], account: { traits: {} } });
  const { account, ...run } = threads.run();
  const tested = await testConnection({ ...run, account: { ...account, traits: { canReply: true } } });
  expect(tested).toMatchObject({ handle: 'annlee', traits: { canReply: true } });
});

test('an account may have a profile image and no name', async () => {
  const { name: _, ...nameless } = { ...profile, threads_profile_picture_url: 'https://cdn.example/ann.jpg' };
  await using threads = await vendor(granted(), nameless);
  const account = await testConnection(threads.run());
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: 'https://cdn.example/ann.jpg' });
});
