import { describe, expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import { authRequest, redirectUri, vendorParameters } from '../../../test/support/browser/sign-in.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect, testConnection } from './connect.ts';
import { linkedin } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(linkedin);
const client = () => platformClient(sandbox().access(), 'linkedin', new AbortController().signal);

test('the consent page asks for everything the service needs, without PKCE', async () => {
  const { url } = await connect.start(authRequest, client());
  expect(url.origin + url.pathname).toBe('https://www.linkedin.com/oauth/v2/authorization');
  const { scope, ...others } = vendorParameters(url);
  expect(others).toEqual({ client_id: 'crier-sandbox' });
  expect(scope?.split(' ')).toEqual(expect.arrayContaining(['w_member_social', 'w_organization_social']));
});

test('the operator chooses what the consent page asks for', async () => {
  const access = { ...sandbox().access(), options: { linkedin: { SCOPES: 'openid,profile  w_member_social' } } };
  const { url } = await connect.start(authRequest, platformClient(access, 'linkedin', new AbortController().signal));
  expect(url.searchParams.get('scope')).toBe('openid profile w_member_social');
});

async function grantsOf(handle: string) {
  const { url } = await connect.start(authRequest, client());
  const back = await consent(sandbox().route(url), { decision: 'allow', handle });
  const code = back.searchParams.get('code') ?? '';
  return connect.finish({ redirectUri, code, codeVerifier: 'unused', fields: {}, memo: null }, client());
}

test('a person without pages becomes one connection', async () => {
  const grants = await grantsOf('pat-plain');
  expect(grants).toMatchObject([
    {
      account: { handle: 'pat-plain', traits: { isCompanyPage: false } },
      credentials: { organizationId: null, refreshToken: expect.stringMatching(/^AQW/) },
      scopes: expect.arrayContaining(['w_member_social']),
    },
  ]);
  const days = ((grants[0]?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(60);
});

test('a person who administers a page also becomes a connection that posts as the page', async () => {
  const grants = await grantsOf('admin-ada');
  const [, page] = grants;
  expect(grants).toHaveLength(2);
  if (!page) throw new Error('There is no page.');
  const { made } = await aMember('company-admin-ada');
  expect(page).toMatchObject({
    account: {
      id: made.id,
      handle: 'company-admin-ada',
      displayName: made.displayName,
      traits: { isCompanyPage: true },
    },
    credentials: { organizationId: made.id },
  });
  const remote = await publish(content('As the page'), aPost({ ...page, made, secrets: [] })());
  expect(await postsOf({ made, ...page, secrets: [] })).toMatchObject([{ id: remote.id, text: 'As the page' }]);
  expect(await testConnection({ ...client(), ...page })).toEqual(page.account);
});

describe('refresh', () => {
  test('keeps the refresh token and the page', async () => {
    const { credentials } = await aMember('company-renewed');
    const renewed = await connect.refresh?.(credentials, client());
    const { refreshToken, organizationId } = credentials;
    expect(renewed?.credentials).toMatchObject({ refreshToken, organizationId });
    expect(renewed?.credentials.accessToken).not.toBe(credentials.accessToken);
  });

  test('keeps the refresh token if LinkedIn leaves it out', async () => {
    await using vendor = await linkedIn({ '/oauth/v2/accessToken': { access_token: 'AQX-new', expires_in: 60 } });
    const renewed = await connect.refresh?.(
      { accessToken: 'AQX-old', refreshToken: 'AQW-old', organizationId: null },
      vendor.ctx,
    );
    expect(renewed?.credentials).toEqual({ accessToken: 'AQX-new', refreshToken: 'AQW-old', organizationId: null });
  });

  test('is impossible without a refresh token', async () => {
    const credentials = { accessToken: 'AQX', refreshToken: null, organizationId: null };
    const failure = await failureOf(connect.refresh?.(credentials, client()) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringMatching(/Reconnect/) });
  });
});

/** A fake LinkedIn that responds by path and the start of the query, and denies everything else. */
async function linkedIn(answers: Record<string, object>) {
  const requests: string[] = [];
  const server = await serve((incoming, response) => {
    requests.push((incoming.url ?? '').split('?')[0] ?? '');
    const [, answer] = Object.entries(answers).find(([path]) => incoming.url?.startsWith(path)) ?? [];
    const denied = { status: 403, serviceErrorCode: 100, message: 'Not enough permissions' };
    response.writeHead(answer ? 200 : 403).end(JSON.stringify(answer ?? denied));
  });
  const vendor = { ...server.access(), applications: { linkedin: { id: 'app', secret: 'app-secret' } } };
  const ctx = platformClient(vendor, 'linkedin', new AbortController().signal);
  return { ctx, requests, [Symbol.asyncDispose]: server.close };
}

describe('the account', () => {
  const restricted = { kind: 'auth', status: 403, reason: 'ACCESS_DENIED: Member is restricted' };
  const token = { access_token: 'AQX-new', expires_in: 5_183_999, scope: 'openid,profile,w_member_social' };
  const callback = { redirectUri, code: 'code', codeVerifier: '', fields: {}, memo: null };

  test('has the requested scopes and an unknown expiry if the token has neither', async () => {
    const answers = {
      '/oauth/v2/accessToken': { access_token: 'AQX-new', refresh_token: '' },
      '/v2/me': { id: '782bbtaQ' },
    };
    await using vendor = await linkedIn(answers);
    expect(await connect.finish(callback, vendor.ctx)).toMatchObject([
      { credentials: { refreshToken: null }, scopes: expect.arrayContaining(['w_member_social']), expiresAt: null },
    ]);
  });

  test('is read by OpenID Connect if the profile may not be read, and has no pages if those may not', async () => {
    const userinfo = { sub: '782bbtaQ', name: 'Ann Lee', picture: 'https://media.licdn.com/ann' };
    await using vendor = await linkedIn({ '/oauth/v2/accessToken': token, '/v2/userinfo': userinfo });
    expect(await connect.finish(callback, vendor.ctx)).toMatchObject([
      {
        account: {
          id: '782bbtaQ',
          handle: 'Ann Lee',
          displayName: 'Ann Lee',
          avatarUrl: 'https://media.licdn.com/ann',
        },
        credentials: {
          accessToken: 'AQX-new',
          refreshToken: null,
          organizationId: null,
          scopes: ['openid', 'profile', 'w_member_social'],
        },
        scopes: ['openid', 'profile', 'w_member_social'],
      },
    ]);
    // The scopes show that LinkedIn would refuse the profile and the pages.
    expect(vendor.requests).toEqual(['/oauth/v2/accessToken', '/v2/userinfo']);
  });

  test('is unknown if no scope permits to read it', async () => {
    await using vendor = await linkedIn({ '/oauth/v2/accessToken': { ...token, scope: 'w_member_social' } });
    const failure = await failureOf(connect.finish(callback, vendor.ctx));
    expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('openid, profile') });
    expect(vendor.requests).toEqual(['/oauth/v2/accessToken']);
  });

  test.for(['r_basicprofile w_member_social', 'openid profile', 'r_basicprofile openid profile'])(
    'of a restricted member is refused in the words of LinkedIn, with the scopes %s',
    async (scope) => {
      const { account, credentials } = await aMember(`restricted-${scope.length}`);
      await sandbox().control('PATCH', '/accounts', { network: 'linkedin', handle: account.handle, suspended: true });
      const context = { ...client(), account, credentials: { ...credentials, scopes: scope.split(' ') } };
      expect(await failureOf(testConnection(context))).toMatchObject(restricted);
    },
  );

  test('of a page whose administrator is restricted is refused in the words of LinkedIn', async () => {
    const { account, credentials } = await aMember('company-restricted');
    await sandbox().control('PATCH', '/accounts', { network: 'linkedin', handle: 'restricted', suspended: true });
    expect(await failureOf(testConnection({ ...client(), account, credentials }))).toMatchObject(restricted);
  });

  test('includes every page that the person may post for, however many there are', async () => {
    const roles = (from: number, count: number, role: string) =>
      Array.from({ length: count }, (_, index) => ({ role, organization: `urn:li:organization:${from + index}` }));
    const names = (from: number, count: number) =>
      Object.fromEntries(
        roles(from, count, '').map((_, index) => [from + index, { localizedName: `P${from + index}` }]),
      );
    const lookup = '/rest/organizationsLookup?ids=List';
    await using vendor = await linkedIn({
      '/oauth/v2/accessToken': { ...token, scope: 'r_basicprofile,w_organization_social' },
      '/v2/me': { id: 'abc', localizedFirstName: 'Ann', localizedLastName: 'Lee', vanityName: 'ann' },
      '/rest/organizationAcls?q=roleAssignee&state=APPROVED&start=0': { elements: roles(1000, 100, 'ADMINISTRATOR') },
      '/rest/organizationAcls?q=roleAssignee&state=APPROVED&start=100': {
        elements: [
          { role: 'CONTENT_ADMINISTRATOR', organizationalTarget: 'urn:li:organization:2000' },
          { role: 'ANALYST', organization: 'urn:li:organization:3000' },
        ],
      },
      [`${lookup}(1000,`]: { results: names(1000, 100) },
      [`${lookup}(2000)`]: { results: names(2000, 1) },
    });
    const grants = await connect.finish(callback, vendor.ctx);
    expect(grants).toHaveLength(102);
    expect(grants.at(0)?.account).toMatchObject({ handle: 'ann', profileUrl: 'https://www.linkedin.com/in/ann' });
    expect(grants.at(-1)?.account).toMatchObject({ id: '2000', displayName: 'P2000' });
  });

  test('of a page has its logo, and that of a member a picture', async () => {
    for (const handle of ['company-logo', 'ann']) {
      const { made, account } = await aMember(handle);
      expect(made.avatarUrl).toMatch(/^https:\/\/media\.licdn\.com\//);
      expect(account.avatarUrl).toBe(made.avatarUrl);
    }
  });

  test('of a page does without its logo if LinkedIn does not show it', async () => {
    const { account, credentials } = await aMember('company-plain');
    await using vendor = await linkedIn({
      '/rest/organizationAcls': {
        elements: [{ role: 'ADMINISTRATOR', organization: `urn:li:organization:${account.id}` }],
      },
      '/rest/organizationsLookup': { results: { [account.id]: { localizedName: 'Plain' } } },
    });
    const read = await testConnection({ ...vendor.ctx, account, credentials });
    expect(read).toMatchObject({ displayName: 'Plain', avatarUrl: null });
    expect(vendor.requests.at(-1)).toBe('/v2/organizationsLookup');
  });

  test('of a page is refused when the person no longer has a role there', async () => {
    const { account, credentials } = await aMember('company-left');
    await using vendor = await linkedIn({
      '/rest/organizationAcls': { elements: [{ role: 'ANALYST', organization: `urn:li:organization:${account.id}` }] },
    });
    const failure = await failureOf(testConnection({ ...vendor.ctx, account, credentials }));
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringMatching(/no longer have a role/) });
  });
});
