import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { authRequest, redirectUri, vendorParameters } from '../../../test/support/browser/sign-in.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect, testConnection } from './connect.ts';
import { mastodon } from './index.ts';
import { limitsFor } from './limits.ts';

const { sandbox, aMember } = platformStage(mastodon);
const client = () => platformClient(sandbox().access(), 'mastodon', new AbortController().signal);

test("the consent page is on the person's own server, and asks for no more than the service needs", async () => {
  const { url } = await connect.start({ ...authRequest, fields: { instance: '@ann@Art.Mastodon.Example' } }, client());
  expect(url.origin + url.pathname).toBe('https://art.mastodon.example/oauth/authorize');
  expect(vendorParameters(url)).toEqual({
    client_id: expect.stringMatching(/\S/),
    scope: 'read:accounts read:statuses write:statuses write:media',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
  });
});

test('a server that knows only whole scopes is asked for those, and can be posted to', async () => {
  const fields = { instance: 'whole.mastodon.example' };
  const codeVerifier = 'a-verifier-of-at-least-forty-three-characters-0123';
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const { url, memo = null } = await connect.start({ ...authRequest, codeChallenge, fields }, client());
  expect(vendorParameters(url)).toMatchObject({ scope: 'read write' });
  const decision = new URLSearchParams({ decision: 'allow', account: 'new', handle: 'ann' });
  const page = sandbox().route(url);
  const back = await fetch(page, { method: 'POST', body: decision, redirect: 'manual' });
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const callback = { redirectUri, code, codeVerifier, fields, memo };
  expect(await connect.finish(callback, client())).toMatchObject([
    { scopes: ['read', 'write'], account: { handle: 'ann@whole.mastodon.example' } },
  ]);
});

test.for([
  ['names other scopes than asked for', 200, { scopes: ['read', 'write'] }, 'read write', 1],
  ['names no scopes', 200, {}, 'read:accounts read:statuses write:statuses write:media', 1],
  ['refuses the scopes', 422, { error: "Scopes doesn't match configured on the server." }, 'read write', 2],
] as const)('a server that %s on registration gets scopes that it knows', async ([, status, body, scope, requests]) => {
  const asked: unknown[] = [];
  await using server = await serve(async (incoming, response) => {
    asked.push(await new Response(incoming).json());
    response.writeHead(asked.length === 1 ? status : 200);
    response.end(JSON.stringify({ client_id: 'id', client_secret: 'secret', ...body }));
  });
  const ctx = platformClient(server.access(), 'mastodon', new AbortController().signal);
  const { url } = await connect.start({ ...authRequest, fields: {} }, ctx);
  expect([url.searchParams.get('scope'), asked.length]).toEqual([scope, requests]);
});

test.for([
  [503, { error: 'scopes are down' }],
  [429, { error: 'Too many requests for scopes' }],
  [422, { error: "Redirect URI can't be blank" }],
] as const)('a registration that fails with %i for another reason is not repeated', async ([status, body]) => {
  let requests = 0;
  await using server = await serve((_incoming, response) => {
    requests += 1;
    response.writeHead(status).end(JSON.stringify(body));
  });
  const ctx = platformClient(server.access(), 'mastodon', new AbortController().signal);
  expect(await failureOf(connect.start({ ...authRequest, fields: {} }, ctx))).toMatchObject({ status });
  expect(requests).toBe(1);
});

test('the default server is mastodon.social', async () => {
  const { url } = await connect.start({ ...authRequest, fields: {} }, client());
  expect(url.host).toBe('mastodon.social');
});

test('a name that is not a server is an issue', () => {
  const parsed = connect.fields?.safeParse({ instance: '@ann' });
  expect(parsed?.error?.issues).toMatchObject([
    { path: ['instance'], message: 'Enter the name of your Mastodon server, such as mastodon.social.' },
  ]);
});

test('the field can be shown as a form', () => {
  expect(z.toJSONSchema(connect.fields ?? z.object({}), { io: 'input' })).toMatchObject({
    properties: { instance: { type: 'string', title: 'Server', default: 'mastodon.social' } },
  });
});

test('an application that the server no longer knows is an "auth" failure', async () => {
  const callback = { redirectUri, code: 'code', codeVerifier: 'verifier', fields: { instance: 'mastodon.social' } };
  const memo = { client_id: 'forgotten', client_secret: 'a-client-secret' };
  const failure = await failureOf(connect.finish({ ...callback, memo }, client()));
  expect(failure).toMatchObject({ kind: 'auth', status: 401, reason: expect.stringContaining('invalid_client') });
  expect(failure.message).toBe('The Mastodon server no longer recognises this service. Reconnect the account.');
});

test('a token answer without a scope grants what was requested', async () => {
  const answers: Record<string, unknown> = {
    '/oauth/token': { access_token: 'token-1' },
    '/api/v1/accounts/verify_credentials': { id: '7', username: 'ann', display_name: '' },
    '/api/v2/instance': {},
  };
  await using server = await serve((incoming, response) => {
    response.end(JSON.stringify(answers[incoming.url ?? '']));
  });
  const callback = { redirectUri, code: 'code', codeVerifier: 'verifier', fields: {} };
  const memo = { client_id: 'id', client_secret: 'a-client-secret' };
  const ctx = platformClient(server.access(), 'mastodon', new AbortController().signal);
  const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media'];
  expect(await connect.finish({ ...callback, memo }, ctx)).toMatchObject([{ scopes, expiresAt: null }]);
});

test("the limits are those of the account's own server", async () => {
  const [stock, other] = [await aMember('ann'), await aMember('ann@art.mastodon.example')];
  expect(limitsFor(stock.account.traits).text.max).toBe(500);
  expect(limitsFor(other.account.traits).text.max).toBe(5000);
  expect(other.account.traits).toEqual({
    maxCharacters: 5000,
    charactersPerUrl: 23,
    maxMedia: 4,
    maxImageBytes: 16_777_216,
    maxVideoBytes: 103_809_024,
    maxAltText: 1500,
  });
});

test('accounts on two servers never have the same id', async () => {
  const { account } = await aMember('ann@art.mastodon.example');
  expect(account.id).toMatch(/^\d+@art\.mastodon\.example$/);
  expect(account.handle).toBe('ann@art.mastodon.example');
});

interface Claims {
  username?: string;
  id?: string;
  domain?: string;
}

/** What `testConnection` returns for the claims of a server at `social.evil.example`. */
async function claimedBy({ username = 'ann', id = '1', domain }: Claims) {
  await using server = await serve((incoming, response) => {
    const own = { id, username, display_name: 'Ann', avatar: 'data:text/html,x', url: 'javascript:alert(1)' };
    response.end(JSON.stringify(incoming.url?.includes('verify_credentials') ? own : { domain }));
  });
  const { account } = await aMember();
  const ctx = { ...platformClient(server.access(), 'mastodon', new AbortController().signal), account };
  return await testConnection({ ...ctx, credentials: { instance: 'social.evil.example', accessToken: 'token' } });
}

test.for([
  ['mastodon.social', 'social.evil.example'],
  ['vil.example', 'social.evil.example'],
  ['example', 'social.evil.example'],
  ['x@mastodon.social', 'social.evil.example'],
  ['Evil.example', 'evil.example'],
  ['social.evil.example', 'social.evil.example'],
] as const)('a server that calls itself %s has handles of %s', async ([domain, shown]) => {
  expect((await claimedBy({ domain })).handle).toBe(`ann@${shown}`);
});

test.for<[string, Claims]>([
  ['a name on another server', { username: 'ann@mastodon.social' }],
  ['a name with a space', { username: 'ann lee' }],
  ['no name', { username: '' }],
  ['an endless name', { username: 'x'.repeat(10_000) }],
  ['an id with slashes', { id: '1/../2' }],
  ['an id on another server', { id: '1@mastodon.social' }],
  ['an endless id', { id: '7'.repeat(10_000) }],
])('an account with %s is not read', async ([, claims]) => {
  expect(await failureOf(claimedBy(claims))).toMatchObject({ kind: 'unavailable' });
});

test('a server with only the first version of the instance API and few details has the default limits', async () => {
  await using server = await serve((incoming, response) => {
    const path = incoming.url ?? '';
    const answers: Record<string, unknown> = {
      '/api/v1/accounts/verify_credentials': {
        id: 'a-b-c',
        username: 'ann',
        display_name: '',
        avatar: null,
        url: null,
      },
      '/api/v1/instance': { uri: 'small.example' },
    };
    const answer = answers[path];
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { error: 'Not Found' }));
  });
  const { account } = await aMember();
  const ctx = { ...platformClient(server.access(), 'mastodon', new AbortController().signal), account };
  const found = await testConnection({ ...ctx, credentials: { instance: 'small.example', accessToken: 'token' } });
  expect(found).toMatchObject({
    id: 'a-b-c@small.example',
    handle: 'ann@small.example',
    displayName: 'ann',
    avatarUrl: null,
  });
  expect(limitsFor(found.traits)).toEqual(mastodon.limits);
});
