import { expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/local-server.ts';
import { failureOf, platformStage } from '../../../test/support/platform-stage.ts';
import { authRequest, redirectUri, vendorParameters } from '../../../test/support/sign-in.ts';
import { platformClient } from '../kit/client.ts';
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
  expect(failure.message).toBe('The Mastodon server no longer recognises this service. Connect the account again.');
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

/** What `testConnection` makes of the claims of a server at `social.evil.example`. */
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
