import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect, testConnection } from './connect.ts';
import { facebook } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(facebook);
const redirectUri = 'https://crier.example/connect/callback';
const request = { redirectUri, state: 'state-1', codeChallenge: 'challenge-1', fields: {} };
const client = () => platformClient(sandbox().access(), 'facebook', new AbortController().signal);

test('the consent page asks for every scope, also for those declined before, without PKCE', async () => {
  const { url } = await connect.start(request, client());
  expect(url.origin + url.pathname).toBe('https://www.facebook.com/v26.0/dialog/oauth');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'crier-sandbox',
    redirect_uri: redirectUri,
    state: 'state-1',
    scope: 'public_profile,pages_show_list,pages_manage_posts,pages_read_engagement,business_management',
    response_type: 'code',
    auth_type: 'rerequest',
  });
});

describe('a person with two Pages', () => {
  const grantsOf = async (handle: string) => {
    const { url } = await connect.start(request, client());
    const back = await consent(sandbox().route(url), { decision: 'allow', handle });
    const code = back.searchParams.get('code') ?? '';
    return connect.finish({ redirectUri, code, codeVerifier: 'unused', fields: {}, memo: null }, client());
  };

  test('gets a connection for each, and each posts as its Page', async () => {
    const grants = await grantsOf('admin-ada');
    expect(grants.map(({ account }) => account.handle)).toEqual(['admin-ada', 'admin-ada-two']);
    for (const grant of grants) {
      const { made } = await aMember(grant.account.handle);
      expect(grant.credentials.pageId).toBe(made.id);
      const member = { ...grant, made, secrets: [] };
      const remote = await publish(content(`As ${made.handle}`), aPost(member)());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      expect(await testConnection({ ...client(), ...grant })).toEqual(grant.account);
    }
  });

  test('gets connections that do not expire', async () => {
    const [first] = await grantsOf('admin-bea');
    expect(first).toMatchObject({ expiresAt: null, scopes: expect.arrayContaining(['pages_manage_posts']) });
    const info = new URL('https://graph.facebook.com/v26.0/debug_token');
    info.search = new URLSearchParams({ input_token: first?.credentials.accessToken ?? '' }).toString();
    const headers = { authorization: 'Bearer crier-sandbox|crier-sandbox-secret-0123456789' };
    const answer = await fetch(sandbox().route(info), { headers });
    expect(await answer.json()).toMatchObject({ data: { type: 'PAGE', expires_at: 0 } });
  });
});

const scopes = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement'];
const rights = (granted = scopes, pages: string[] | undefined = undefined) => ({
  data: { user_id: '77', scopes: granted, granular_scopes: granted.map((scope) => ({ scope, target_ids: pages })) },
});
const avatar = { data: { url: 'https://scontent.example/1.jpg' } };
const callback = { redirectUri, code: 'the-code-1', codeVerifier: '', fields: {}, memo: null };

/** Responses by path without the version. Calls without a response are denied. */
async function graph(answers: Record<string, object | ((query: URLSearchParams) => object)>) {
  const asked: { url: URL; token: string | null }[] = [];
  const server = await serve((incoming, response) => {
    const url = new URL(incoming.url ?? '', 'https://graph.facebook.com');
    asked.push({ url, token: incoming.headers.authorization?.replace('Bearer ', '') ?? null });
    const known = answers[url.pathname.replace('/v26.0/', '')];
    const answer = typeof known === 'function' ? known(url.searchParams) : known;
    const denied = { error: { code: 200, message: '(#200) Requires business_management permission' } };
    response.writeHead(answer && !('error' in answer) ? 200 : 403).end(JSON.stringify(answer ?? denied));
  });
  const applications = { facebook: { id: 'app', secret: 'app-secret' } };
  const ctx = platformClient({ ...server.access(), applications }, 'facebook', new AbortController().signal);
  return { asked, ctx, [Symbol.asyncDispose]: server.close };
}

/** The short-lived token, then the long-lived one. */
const tokens = (query: URLSearchParams) => ({
  access_token: query.has('code') ? 'EAA-short' : `EAA-long-lived-of-${query.get('fb_exchange_token')}`,
});
const page = (id: string, more: object = {}) => ({
  id,
  name: `Page ${id}`,
  access_token: `EAAP-${id}`,
  tasks: ['CREATE_CONTENT'],
  ...more,
});
const signedIn = { 'oauth/access_token': tokens, debug_token: rights() };

describe('finish', () => {
  test('reads the Pages with the long-lived token, and sends appsecret_proof with every token', async () => {
    await using vendor = await graph({ ...signedIn, 'me/accounts': { data: [page('1')] } });
    await connect.finish(callback, vendor.ctx);
    const accounts = vendor.asked.find(({ url }) => url.pathname.endsWith('/me/accounts'));
    expect(accounts?.token).toBe('EAA-long-lived-of-EAA-short');
    const withToken = vendor.asked.filter(({ token }) => token !== null);
    expect(withToken).toHaveLength(3);
    for (const { url, token } of withToken) {
      const proof = createHmac('sha256', 'app-secret')
        .update(token ?? '')
        .digest('hex');
      expect(url.searchParams.get('appsecret_proof')).toBe(proof);
    }
  });

  test('returns the Pages on which the person may create content', async () => {
    const pages = [
      page('1', { username: 'bakery', picture: avatar }),
      page('2', { tasks: ['ANALYZE', 'MODERATE'] }),
      page('3', { tasks: ['MANAGE'] }),
      page('4', { access_token: undefined }),
    ];
    await using vendor = await graph({ ...signedIn, 'me/accounts': { data: pages } });
    const grants = await connect.finish(callback, vendor.ctx);
    expect(grants.map(({ account }) => account)).toEqual([
      {
        id: '1',
        handle: 'bakery',
        displayName: 'Page 1',
        avatarUrl: avatar.data.url,
        profileUrl: 'https://www.facebook.com/bakery',
        traits: { grantedBy: '77' },
      },
      {
        id: '3',
        handle: 'Page 3',
        displayName: 'Page 3',
        avatarUrl: null,
        profileUrl: 'https://www.facebook.com/3',
        traits: { grantedBy: '77' },
      },
    ]);
    expect(grants[0]).toMatchObject({ credentials: { accessToken: 'EAAP-1', pageId: '1' }, scopes });
  });

  test('returns the Pages of businesses too, each once, but none on which the person may not create content', async () => {
    const own = (query: URLSearchParams) =>
      query.has('after')
        ? { data: [page('2'), page('4', { tasks: ['ANALYZE'] })], paging: { cursors: { after: 'end' } } }
        : { data: [page('1')], paging: { cursors: { after: 'a1' }, next: 'https://graph.facebook.com/next' } };
    await using vendor = await graph({
      ...signedIn,
      'me/accounts': own,
      'me/businesses': { data: [{ id: '70' }] },
      '70/owned_pages': { data: [page('2'), page('3'), page('4')].map(({ tasks, ...listed }) => listed) },
      '70/client_pages': { data: [page('3'), page('5', { access_token: undefined })] },
    });
    const grants = await connect.finish(callback, vendor.ctx);
    expect(grants.map(({ account }) => account.id)).toEqual(['1', '2', '3']);
  });

  test('leaves out Pages that were not ticked in the consent dialog', async () => {
    const data = [page('1'), page('2')];
    await using vendor = await graph({ ...signedIn, debug_token: rights(scopes, ['2']), 'me/accounts': { data } });
    const grants = await connect.finish(callback, vendor.ctx);
    expect(grants.map(({ account }) => account.id)).toEqual(['2']);
  });

  test('names the missing scope when a permission was declined', async () => {
    const granted = ['public_profile', 'pages_show_list', 'pages_read_engagement'];
    await using vendor = await graph({ ...signedIn, debug_token: rights(granted) });
    expect(await failureOf(connect.finish(callback, vendor.ctx))).toMatchObject({
      kind: 'auth',
      message: expect.stringMatching(/allow everything/),
      reason: 'Missing: pages_manage_posts',
    });
  });

  test('does not show a code that Facebook repeats in its refusal', async () => {
    const error = { code: 100, message: 'Invalid verification code the-code-1 for app-secret' };
    await using vendor = await graph({ 'oauth/access_token': { error } });
    const failed = await failureOf(connect.finish(callback, vendor.ctx));
    expect(failed).toMatchObject({ kind: 'auth', reason: '(#100) Invalid verification code [secret] for [secret]' });
    expectNoSecret(failed, ['the-code-1', 'app-secret']);
  });
});

describe('testConnection', () => {
  const account = { id: '1', handle: 'a', displayName: 'A', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'EAAP-1', pageId: '1' };
  const failureFor = async (answers: Parameters<typeof graph>[0]) => {
    await using vendor = await graph(answers);
    return await failureOf(testConnection({ ...vendor.ctx, account, credentials }));
  };

  test('reports that the Page is gone', async () => {
    const error = { code: 100, error_subcode: 33, message: "Object with ID '1' does not exist" };
    expect(await failureFor({ 1: { error } })).toMatchObject({
      kind: 'auth',
      message: expect.stringMatching(/no longer shows this Page/),
      reason: expect.stringMatching(/does not exist/),
    });
  });

  test.for<[title: string, answer: object]>([
    ['the permission to post is gone', rights(['pages_show_list', 'pages_read_engagement'])],
    ['the Page is no longer among those allowed', rights(scopes, ['2'])],
  ])('reports that %s', async ([, answer]) => {
    const failed = await failureFor({ 1: page('1'), debug_token: answer });
    expect(failed).toMatchObject({ kind: 'auth', reason: expect.stringMatching(/^Missing: .*pages_manage_posts/) });
    expectNoSecret(failed, ['EAAP-1', 'app-secret']);
  });
});
