import { expect, test } from 'vitest';
import {
  application,
  authRequest,
  callback,
  oauthVendor,
  vendorParameters,
} from '../../../test/support/browser/sign-in.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';

const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
const token = {
  token_type: 'bearer',
  expires_in: 7200,
  access_token: 'access-token-2',
  scope: 'tweet.read tweet.write users.read media.write offline.access',
  refresh_token: 'refresh-token-2',
};
const ann = { id: '2244994945', name: 'Ann Lee', username: 'annlee' };

const vendor = (answers: Parameters<typeof oauthVendor>[1]) => oauthVendor('twitter', answers);

test('the consent page asks for no more than the service needs', async () => {
  await using x = await vendor({});
  const { url } = await connect.start(authRequest, x.client);
  expect(url.origin + url.pathname).toBe('https://x.com/i/oauth2/authorize');
  expect(vendorParameters(url)).toEqual({
    client_id: 'client-1',
    scope: 'tweet.read tweet.write users.read media.write offline.access',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
  });
});

test('a code becomes a grant with the scopes and the expiry that X gave', async () => {
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
  const [exchange, me] = x.requests;
  expect(exchange?.headers).toMatchObject({
    authorization: `Basic ${btoa('client-1:client-secret-0123456789')}`,
    'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
  });
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: callback.redirectUri,
    code_verifier: 'the-verifier-1',
  });
  expect(me?.headers.authorization).toBe('Bearer access-token-2');
});

test('a token without optional fields grants what was requested, with an unknown expiry', async () => {
  const { scope, expires_in: _, ...required } = token;
  await using x = await vendor({ '/2/oauth2/token': { body: required }, '/2/users/me': { body: { data: ann } } });
  const grants = await connect.finish(callback, x.client);
  expect(grants).toMatchObject([{ scopes: scope.split(' '), expiresAt: null }]);
});

test('a grant that would end after two hours is refused with a reason', async () => {
  const { refresh_token: _, ...passing } = token;
  await using x = await vendor({ '/2/oauth2/token': { body: passing } });
  const failure = await failureOf(connect.finish(callback, x.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('long-term access') });
});

test('an account has its larger image, its address and its subscription', async () => {
  const more = {
    profile_image_url: 'https://pbs.twimg.com/profile_images/1/a_normal.jpg',
    subscription_type: 'Premium',
  };
  await using x = await vendor({ '/2/users/me': { body: { data: { ...ann, ...more } } } });
  const account = await testConnection({ ...x.client, credentials, account: noAccount });
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

test('an account without details has the limits of one without a subscription', async () => {
  await using x = await vendor({ '/2/users/me': { body: { data: { ...ann, name: '' } } } });
  const account = await testConnection({ ...x.client, credentials, account: noAccount });
  expect(account).toMatchObject({ displayName: 'annlee', avatarUrl: null, traits: { subscriptionType: 'None' } });
  expect(description.limitsFor(account.traits).text.max).toBe(280);
});

test('a suspended account has to be reconnected', async () => {
  const suspended = { title: 'Forbidden', type: 'https://api.x.com/2/problems/user-suspended', detail: 'Suspended' };
  await using x = await vendor({ '/2/users/me': { status: 403, body: suspended } });
  const failure = await failureOf(testConnection({ ...x.client, credentials, account: noAccount }));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('reconnect it') });
});

test.for([
  [token, 'refresh-token-2'],
  [{ ...token, refresh_token: undefined }, 'refresh-token-1'],
] as const)('a refresh stores the new refresh token, or keeps the old one if there is none', async ([body, kept]) => {
  await using x = await vendor({ '/2/oauth2/token': { body: JSON.parse(JSON.stringify(body)) } });
  expect(await connect.refresh?.(credentials, x.client)).toEqual({
    credentials: { accessToken: 'access-token-2', refreshToken: kept },
    expiresAt: new Date('2031-02-03T06:05:06Z'),
  });
  expect(x.requests.map(({ body }) => body)).toEqual(['grant_type=refresh_token&refresh_token=refresh-token-1']);
});

test('a refusal that repeats what was sent shows no secret', async () => {
  const said = `${callback.code} ${callback.codeVerifier} ${credentials.refreshToken} ${application.secret}`;
  const body = { error: 'invalid_request', error_description: said };
  await using x = await vendor({ '/2/oauth2/token': { status: 400, body } });
  const refused = await failureOf(connect.finish(callback, x.client));
  expectNoSecret(refused, [callback.code, callback.codeVerifier, application.secret]);
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, x.client)));
  expectNoSecret(expired, [credentials.refreshToken, application.secret]);
});

const noAccount = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
