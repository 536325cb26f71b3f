import { expect, test } from 'vitest';
import { type GraphAnswer, graphServer, redirectUri } from '../../../test/support/servers/graph.ts';
import { connect, testConnection } from './connect.ts';

const permissions = ['instagram_business_basic', 'instagram_business_content_publish'];
const short = { access_token: 'short-token-1', permissions };
const profile = { user_id: '17841405793187218', username: 'annshop', name: 'Ann', account_type: 'Business', id: '99' };

const vendor = (token: GraphAnswer = short, me: GraphAnswer = profile) =>
  graphServer('instagram', {
    'POST /oauth/access_token': [token],
    'GET /access_token': [{ access_token: 'access-token-2', token_type: 'bearer', expires_in: 5_184_000 }],
    'GET /me': [me],
  });

test('the consent page asks for the scopes that we need', async () => {
  await using instagram = await vendor();
  const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
  const { url } = await connect.start(request, instagram.client);
  expect(url.origin + url.pathname).toBe('https://www.instagram.com/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: redirectUri,
    scope: permissions.join(','),
    state: 'state-1',
  });
});

test.for<[title: string, token: GraphAnswer, scopes: string[]]>([
  ['with a list of permissions', short, permissions],
  ['wrapped in a list', { data: [short] }, permissions],
  ['with permissions in one string', { ...short, permissions: 'one, two' }, ['one', 'two']],
  ['without permissions', { access_token: 'short-token-1' }, []],
])('the granted scopes are read from a token %s', async ([, token, scopes]) => {
  await using instagram = await vendor(token);
  const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
  expect(await connect.finish(callback, instagram.client)).toMatchObject([{ scopes }]);
});

test('the account is the professional one', async () => {
  await using instagram = await vendor();
  expect(await testConnection(instagram.run())).toEqual({
    id: '17841405793187218',
    handle: 'annshop',
    displayName: 'Ann',
    avatarUrl: null,
    profileUrl: 'https://www.instagram.com/annshop/',
    traits: { grantedBy: '99' },
  });
});

test('an account may be wrapped in a list, and may have no name', async () => {
  const { name: _, ...nameless } = { ...profile, profile_picture_url: 'https://cdn.example/ann.jpg' };
  await using instagram = await vendor(short, { data: [nameless] });
  const account = await testConnection(instagram.run());
  expect(account).toMatchObject({ displayName: 'annshop', avatarUrl: 'https://cdn.example/ann.jpg' });
});
