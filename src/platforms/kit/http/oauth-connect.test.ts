import { expect, test } from 'vitest';
import {
  application,
  authRequest,
  callback,
  oauthVendor,
  redirectUri,
} from '../../../../test/support/browser/sign-in.ts';
import { failureOf } from '../../../../test/support/stages/platform.ts';
import { apiCalls } from './api-calls.ts';
import { Token } from './oauth.ts';
import { type OAuthVendor, oauthConnect } from './oauth-connect.ts';

const { call } = apiCalls({ name: 'Example', failureIn: () => null });
const account = { id: '1', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null, traits: {} };
type Credentials = { accessToken: string; refreshToken: string; page: string };

const connectWith = (vendor: Partial<OAuthVendor<Credentials, Token>> = {}) =>
  oauthConnect<Credentials, Token>({
    name: 'Example',
    page: { url: 'https://platform.example/authorize', scope: 'read write', pkce: true },
    tokenEndpoint: { url: 'https://platform.example/token', application: 'form' },
    requestToken: (request, ctx) => call(Token, request, ctx),
    readAccounts: async (tokens) =>
      ['a', 'b'].map((page) => ({ account: { ...account, id: page }, credentials: { ...tokens, page } })),
    ...vendor,
  });
const token = { access_token: 'at-2', refresh_token: 'rt-2', expires_in: 60, scope: 'read' };
const form = (body?: string) => Object.fromEntries(new URLSearchParams(body));

test('a sign-in becomes one grant per account, with the scopes and expiry of the token', async () => {
  await using vendor = await oauthVendor('twitter', { '/token': { body: token } });
  const { url } = await connectWith().start(authRequest, vendor.client);
  expect(url.searchParams.get('code_challenge')).toBe('challenge-1');
  const grant = { scopes: ['read'], expiresAt: new Date('2031-02-03T04:06:06Z') };
  expect(await connectWith().finish(callback, vendor.client)).toEqual([
    {
      ...grant,
      account: { ...account, id: 'a' },
      credentials: { accessToken: 'at-2', refreshToken: 'rt-2', page: 'a' },
    },
    {
      ...grant,
      account: { ...account, id: 'b' },
      credentials: { accessToken: 'at-2', refreshToken: 'rt-2', page: 'b' },
    },
  ]);
  expect(form(vendor.requests[0]?.body)).toMatchObject({ code: 'the-code-1', code_verifier: 'the-verifier-1' });
});

test('a vendor without PKCE gets no verifier', async () => {
  await using vendor = await oauthVendor('twitter', { '/token': { body: token } });
  const page = { url: 'https://platform.example/authorize', scope: 'read', pkce: false };
  await connectWith({ page }).finish(callback, vendor.client);
  expect(form(vendor.requests[0]?.body)).toEqual({
    client_id: application.id,
    client_secret: application.secret,
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: redirectUri,
  });
});

test('a missing scope is refused only if the vendor requires all of them', async () => {
  await using vendor = await oauthVendor('twitter', { '/token': { body: token } });
  const failure = await failureOf(connectWith({ requiresAllScopes: true }).finish(callback, vendor.client));
  expect(failure).toMatchObject({ kind: 'auth', reason: 'Example granted: read' });
});

test('a refresh keeps what the answer does not replace', async () => {
  const answer = { access_token: 'at-3' };
  await using vendor = await oauthVendor('twitter', { '/token': { body: answer } });
  const credentials = { accessToken: 'at-2', refreshToken: 'rt-2', page: 'a' };
  const connect = connectWith({ refreshExpiresIn: () => 120 });
  expect(await connect.refresh?.(credentials, vendor.client)).toEqual({
    credentials: { accessToken: 'at-3', refreshToken: 'rt-2', page: 'a' },
    expiresAt: null,
    refreshExpiresAt: new Date('2031-02-03T04:07:06Z'),
  });
});
