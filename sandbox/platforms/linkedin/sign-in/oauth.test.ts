import { describe, expect, test } from 'vitest';
import { clientId, clientSecret, startLinkedIn } from '../testing.ts';

const dayMs = 86_400_000;

describe('LinkedIn OAuth', () => {
  test('an app gets consent, exchanges the code and acts as the member', async () => {
    const now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const back = await linkedin.consent({ account: 'new', handle: 'ann-lee' });
    expect(`${back.origin}${back.pathname}`).toBe('https://app.test/callback');
    expect([back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['1', 's1']);

    const response = await (await linkedin.exchangeCode(back.searchParams.get('code') ?? '')).json();
    expect(response).toEqual({
      access_token: expect.stringMatching(/^AQX/),
      expires_in: 5_184_000,
      refresh_token: expect.stringMatching(/^AQW/),
      refresh_token_expires_in: 31_536_000,
      scope: 'openid,profile,w_member_social',
      token_type: 'Bearer',
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    const identity = await (await linkedin.callsAs(response.access_token).get('/v2/userinfo')).json();
    expect(identity).toEqual({
      sub: expect.stringMatching(/^[\w-]{10}$/),
      name: 'Ann Lee',
      given_name: 'Ann',
      family_name: 'Lee',
      picture: expect.stringMatching(/^https:\/\/media\.licdn\.com\//),
      locale: { country: 'US', language: 'en' },
    });
    const [, claims = ''] = response.id_token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: identity.sub, aud: clientId });
  });

  test('the consent page offers members, not pages', async () => {
    const linkedin = await startLinkedIn();
    await linkedin.account('company-acme');
    const page = await (await linkedin.at(linkedin.authorizePath())).text();
    expect(page).toContain('@acme');
    expect(page).not.toContain('@company-acme');
    const typed = await linkedin.form(linkedin.authorizePath(), { decision: 'allow', handle: 'company-acme' });
    expect(typed.status).toBe(422);
  });

  test.each([
    ['a person who declines', { decision: 'deny' }, {}, 'user_cancelled_authorize'],
    ['a scope without a product', {}, { scope: 'openid r_member_social' }, 'unauthorized_scope_error'],
    ['no scope', {}, { scope: '' }, 'unauthorized_scope_error'],
    ['another response type', {}, { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s returns the error and the state', async (_, choice, change, error) => {
    const linkedin = await startLinkedIn();
    const { searchParams } = await linkedin.consent({ handle: 'ann', ...choice }, change);
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
      error,
      's1',
      null,
    ]);
    expect(searchParams.get('error_description')).toMatch(/\S/);
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an address without TLS', { redirect_uri: 'http://app.test/' }],
    ['an address with a fragment', { redirect_uri: 'https://app.test/#x' }],
  ])('%s shows an error page and redirects nowhere', async (_, change) => {
    const linkedin = await startLinkedIn();
    const response = await linkedin.form(linkedin.authorizePath(change), { decision: 'allow', handle: 'ann' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('plain HTTP is allowed on the local machine', async () => {
    const linkedin = await startLinkedIn();
    const change = { redirect_uri: 'http://127.0.0.1:3000/back' };
    expect((await linkedin.consent({ handle: 'ann' }, change)).searchParams.get('code')).toMatch(/\S/);
  });

  test('a code works once and for half an hour', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const codeOf = async () => (await linkedin.consent({ handle: 'ann' })).searchParams.get('code') ?? '';
    const code = await codeOf();
    expect((await linkedin.exchangeCode(code)).status).toBe(200);
    const again = await linkedin.exchangeCode(code);
    expect([again.status, (await again.json()).error]).toEqual([400, 'invalid_request']);
    const late = await codeOf();
    now += 31 * 60_000;
    expect((await linkedin.exchangeCode(late)).status).toBe(400);
  });

  test.each([
    ['another redirect address', { redirect_uri: 'https://app.test/other' }, 400, 'invalid_request'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no code', { code: '' }, 400, 'invalid_request'],
  ])('%s gets the vendor’s error', async (_, change, status, error) => {
    const linkedin = await startLinkedIn();
    const code = (await linkedin.consent({ handle: 'ann' })).searchParams.get('code') ?? '';
    const response = await linkedin.exchangeCode(code, change);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error, error_description: expect.any(String) },
    ]);
  });

  test('an access token expires after 60 days; a refresh issues another and keeps the refresh token’s expiry', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const { credentials, get } = await linkedin.account('ann');
    const refresh = () => linkedin.token({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken });
    now += 61 * dayMs;
    const expired = await get('/v2/userinfo');
    expect([expired.status, await expired.json()]).toMatchObject([401, { serviceErrorCode: 65602 }]);
    const renewed = await (await refresh()).json();
    expect(renewed).toMatchObject({ refresh_token: credentials.refreshToken, expires_in: 5_184_000 });
    expect(renewed.refresh_token_expires_in).toBe((365 - 61) * 86_400);
    expect((await linkedin.callsAs(renewed.access_token).get('/v2/userinfo')).status).toBe(200);
    now += 305 * dayMs;
    const over = await refresh();
    expect([over.status, (await over.json()).error]).toEqual([400, 'invalid_grant']);
  });

  test('introspection returns whether a token works and its scopes', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const { credentials } = await linkedin.account('ann');
    const client = { client_id: clientId, client_secret: clientSecret };
    const ask = (fields: Record<string, string>) =>
      linkedin.form('/www.linkedin.com/oauth/v2/introspectToken', {
        ...client,
        token: credentials.accessToken,
        ...fields,
      });
    expect(await (await ask({})).json()).toMatchObject({
      active: true,
      status: 'active',
      scope: expect.stringContaining('w_member_social,'),
      expires_at: Math.floor((now + 60 * dayMs) / 1000),
      auth_type: '3L',
    });
    expect(await (await ask({ token: 'other' })).json()).toEqual({ active: false });
    expect((await ask({ client_secret: 'wrong' })).status).toBe(401);
    now += 61 * dayMs;
    expect(await (await ask({})).json()).toMatchObject({ active: false, status: 'expired' });
  });

  test('a consent with other scopes invalidates earlier tokens', async () => {
    const linkedin = await startLinkedIn();
    const first = await linkedin.allowing('ann', 'openid profile');
    const same = await linkedin.allowing('ann', 'profile openid');
    expect([(await first.get('/v2/userinfo')).status, (await same.get('/v2/userinfo')).status]).toEqual([200, 200]);
    await linkedin.allowing('ann', 'openid profile w_member_social');
    const revoked = await first.get('/v2/userinfo');
    expect([revoked.status, await revoked.json()]).toMatchObject([
      401,
      { serviceErrorCode: 65601, code: 'REVOKED_ACCESS_TOKEN' },
    ]);
  });

  test('a refresh token works only at the token endpoint', async () => {
    const linkedin = await startLinkedIn();
    const { credentials } = await linkedin.account('ann');
    const response = await linkedin.callsAs(credentials.refreshToken).get('/v2/userinfo');
    expect([response.status, await response.json()]).toMatchObject([401, { serviceErrorCode: 65600 }]);
    const none = await linkedin.at('/api.linkedin.com/v2/userinfo');
    expect([none.status, await none.json()]).toMatchObject([401, { code: 'EMPTY_ACCESS_TOKEN' }]);
  });
});
