import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { serve } from '../../../../test/support/servers/local.ts';
import { failureOf } from '../../../../test/support/stages/platform.ts';
import { apiCalls } from './api-calls.ts';
import { platformClient } from './client.ts';
import {
  authorizeUrl,
  codeForm,
  expiryAfter,
  refreshForm,
  requireRefreshToken,
  requireScopes,
  scopesIn,
  Token,
  type TokenEndpoint,
  tokenRequest,
} from './oauth.ts';

const application = { id: 'client-1', secret: 'client-secret-0123456789' };
const now = new Date('2031-02-03T04:05:06Z');
const redirectUri = 'https://crier.example/connect/callback';
const ctx = { application: () => application, now: () => now };

describe('the consent page', () => {
  const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
  const page = { url: 'https://platform.example/authorize', scope: 'read write', pkce: true };
  const parameters = (url: URL) => Object.fromEntries(url.searchParams);

  test('gets the parameters of RFC 6749 and RFC 7636', () => {
    const url = authorizeUrl(page, request, ctx);
    expect(url.origin + url.pathname).toBe('https://platform.example/authorize');
    expect(parameters(url)).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: redirectUri,
      scope: 'read write',
      state: 'state-1',
      code_challenge: 'challenge-1',
      code_challenge_method: 'S256',
    });
  });

  test('gets what the vendor does differently', () => {
    const own = { pkce: false, clientIdName: 'client_key', clientId: 'other', extra: { prompt: 'consent' } };
    expect(parameters(authorizeUrl({ ...page, ...own }, request, ctx))).toEqual({
      response_type: 'code',
      client_key: 'other',
      redirect_uri: redirectUri,
      scope: 'read write',
      state: 'state-1',
      prompt: 'consent',
    });
  });
});

describe('a token request', () => {
  /** The request that reaches a server, and the response that the caller gets. */
  async function exchange(endpoint: Omit<TokenEndpoint, 'url'>, form: Record<string, string>, as = application) {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    await using server = await serve(async (request, response) => {
      seen.push({ headers: request.headers, body: await text(request) });
      response.end('{"access_token":"at-1"}');
    });
    const access = { ...server.access(), applications: { twitter: as } };
    const client = platformClient(access, 'twitter', new AbortController().signal);
    const { call } = apiCalls({ name: 'Example', failureIn: () => null });
    const request = tokenRequest({ url: 'https://platform.example/token', ...endpoint }, form, client);
    const token = await call(Token, request, client);
    return { token, secrets: request.secrets, headers: seen[0]?.headers, body: new URLSearchParams(seen[0]?.body) };
  }

  test('can name the application in a header', async () => {
    const form = codeForm({ code: 'code-1', redirectUri, codeVerifier: 'verifier-1' });
    const { token, headers, body, secrets } = await exchange({ application: 'header' }, form);
    const basic = btoa('client-1:client-secret-0123456789');
    expect(headers).toMatchObject({
      authorization: `Basic ${basic}`,
      'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
    });
    expect(Object.fromEntries(body)).toEqual({
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: redirectUri,
      code_verifier: 'verifier-1',
    });
    expect(secrets).toEqual([application.secret, basic, 'code-1', 'verifier-1']);
    expect(token).toEqual({ access_token: 'at-1' });
  });

  test('encodes the id and the secret in a header, as RFC 6749 says', async () => {
    const as = { id: 'app:1 ü', secret: 'a+secret/with=all' };
    const { headers } = await exchange({ application: 'header' }, refreshForm('rt-1'), as);
    expect(headers?.authorization).toBe(`Basic ${btoa('app%3A1+%C3%BC:a%2Bsecret%2Fwith%3Dall')}`);
  });

  test('can name the application in the form', async () => {
    const endpoint = { application: 'form', clientIdName: 'client_key' } as const;
    const { headers, body, secrets } = await exchange(endpoint, refreshForm('rt-1'));
    expect(headers).not.toHaveProperty('authorization');
    expect(Object.fromEntries(body)).toEqual({
      client_key: 'client-1',
      client_secret: application.secret,
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
    });
    expect(secrets).toEqual([application.secret, 'rt-1']);
  });
});

describe('a token answer', () => {
  test('needs nothing but the access token (RFC 6749 section 5.1)', () => {
    expect(Token.parse({ access_token: 'at-1' })).toEqual({ access_token: 'at-1' });
    expect(Token.safeParse({ access_token: '' }).success).toBe(false);
  });

  test('with an empty refresh token has none', () => {
    expect(Token.parse({ access_token: 'at-1', refresh_token: '' }).refresh_token).toBeUndefined();
  });

  test('may say null, zero or a text where other servers leave a field out', () => {
    const nulls = { access_token: 'at-1', refresh_token: null, expires_in: null, scope: null, token_type: null };
    expect(Token.parse(nulls)).toEqual({ access_token: 'at-1' });
    expect(Token.parse({ access_token: 'at-1', expires_in: 0 })).toEqual({ access_token: 'at-1' });
    expect(Token.parse({ access_token: 'at-1', expires_in: '5184000' }).expires_in).toBe(5_184_000);
  });

  test('expires after its lifetime, or at an unknown time', () => {
    expect(expiryAfter(7200, ctx)).toEqual(new Date('2031-02-03T06:05:06Z'));
    expect(expiryAfter(undefined, ctx)).toBeNull();
  });

  test('lists scopes in any of the usual ways, and grants what was requested if it lists none', () => {
    expect(scopesIn('a b,c, d ')).toEqual(['a', 'b', 'c', 'd']);
    expect(scopesIn(undefined, 'a b')).toEqual(['a', 'b']);
    expect(scopesIn('', 'a b')).toEqual([]);
  });

  test('has to grant every scope that the connection needs', async () => {
    requireScopes('Example', ['b', 'a'], 'a b');
    const failure = await failureOf(Promise.resolve().then(() => requireScopes('Example', ['a'], 'a b')));
    expect(failure).toMatchObject({ kind: 'auth', reason: 'Example granted: a' });
  });

  test('without the refresh token that the connection needs is an "auth" failure', async () => {
    expect(requireRefreshToken('Example', 'rt-1')).toBe('rt-1');
    const failure = await failureOf(Promise.resolve().then(() => requireRefreshToken('Example', undefined)));
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Reconnect the account') });
  });
});
