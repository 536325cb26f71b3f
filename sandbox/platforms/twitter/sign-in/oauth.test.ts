import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { startX } from '../testing.ts';

const redirectUri = 'https://app.test/callback?keep=1';
const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const scope = 'tweet.read tweet.write users.read media.write offline.access';
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const ours = basic(oauthApp.clientId, oauthApp.clientSecret);

describe('X OAuth', () => {
  test('an app gets consent, exchanges the code, acts as the account and refreshes its tokens', async () => {
    const { x, consent, token } = await startOAuthClient();
    const back = await consent({ decision: 'allow', account: 'new', handle: 'Ann' });
    expect(`${back.origin}${back.pathname}`).toBe('https://app.test/callback');
    expect([back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['1', 's1']);

    const granted = await (await token(codeGrant(back))).json();
    expect(granted).toEqual({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: expect.any(String),
      scope,
      refresh_token: expect.any(String),
    });
    const me = async (accessToken: string) => (await x.as(accessToken).get('/users/me')).status;
    expect(await me(granted.access_token)).toBe(200);

    const renewed = await (await token({ grant_type: 'refresh_token', refresh_token: granted.refresh_token })).json();
    expect(renewed).toMatchObject({ scope, expires_in: 7200 });
    expect(renewed.refresh_token).not.toBe(granted.refresh_token);
    expect(await me(renewed.access_token)).toBe(200);
  });

  test('a refresh token works once', async () => {
    const { x, token } = await startOAuthClient();
    const { credentials } = await x.person('ann');
    const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token });
    const first = await (await refresh(credentials.refreshToken)).json();
    const again = await refresh(credentials.refreshToken);
    expect([again.status, await again.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
    ]);
    expect((await refresh(first.refresh_token)).status).toBe(200);
  });

  test('an access token expires after two hours, a refresh token after half a year', async () => {
    let now = Date.now();
    const { x, token } = await startOAuthClient({}, () => now);
    const { credentials, get } = await x.person('ann');
    now += 7_199_000;
    expect((await get('/users/me')).status).toBe(200);
    now += 2000;
    const late = await get('/users/me');
    expect([late.status, await late.json()]).toEqual([
      401,
      { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
    ]);
    now += 181 * 24 * 3_600_000;
    const refresh_token = credentials.refreshToken;
    expect((await token({ grant_type: 'refresh_token', refresh_token })).status).toBe(400);
  });

  test('without offline.access no refresh token is issued', async () => {
    const { consent, token } = await startOAuthClient({ scope: 'tweet.read users.read' });
    const granted = await (await token(codeGrant(await consent({ decision: 'allow', handle: 'ann' })))).json();
    expect(granted).not.toHaveProperty('refresh_token');
    expect(granted.scope).toBe('tweet.read users.read');
  });

  test('a scope that was not granted is missing at the call', async () => {
    const { x, consent, token } = await startOAuthClient({ scope: 'tweet.read users.read' });
    const granted = await (await token(codeGrant(await consent({ decision: 'allow', handle: 'ann' })))).json();
    const refused = await x.as(granted.access_token).publish({ text: 'no' });
    expect([refused.status, (await refused.json()).title]).toEqual([403, 'Forbidden']);
    expect(await x.posts()).toEqual([]);
  });

  test('a denied consent returns access_denied and the state', async () => {
    const { consent } = await startOAuthClient();
    const back = await consent({ decision: 'deny' });
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 's1']);
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('a code works once and for half a minute', async () => {
    let now = Date.now();
    const { consent, token } = await startOAuthClient({}, () => now);
    const back = await consent({ decision: 'allow', handle: 'ann' });
    expect((await token(codeGrant(back))).status).toBe(200);
    expect((await token(codeGrant(back))).status).toBe(400);
    const late = await consent({ decision: 'allow', handle: 'ann' });
    now += 31_000;
    const response = await token(codeGrant(late));
    expect((await response.json()).error_description).toBe('Value passed for the authorization code was invalid.');
  });

  test('a plain challenge is the verifier itself', async () => {
    const { consent, token } = await startOAuthClient({ code_challenge: verifier, code_challenge_method: 'plain' });
    const back = await consent({ decision: 'allow', handle: 'ann' });
    expect((await token({ ...codeGrant(back), code_verifier: challenge })).status).toBe(400);
    const again = await consent({ decision: 'allow', handle: 'ann' });
    expect((await token(codeGrant(again))).status).toBe(200);
  });

  test.each([
    [{ code_verifier: 'another' }, /code verifier did not match/],
    [{ redirect_uri: 'https://app.test/other' }, /redirect uri did not match/],
    [{ code: 'made-up' }, /authorization code was invalid/],
    [{ code_verifier: '' }, /Missing required parameter \[code_verifier\]/],
    [{ grant_type: '' }, /Missing required parameter \[grant_type\]/],
  ])('an exchange with %j is refused', async (change, words) => {
    const { consent, token } = await startOAuthClient();
    const response = await token({ ...codeGrant(await consent({ decision: 'allow', handle: 'ann' })), ...change });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringMatching(words) },
    ]);
  });

  test.each([
    ['another application', basic('stranger', oauthApp.clientSecret)],
    ['a wrong secret', basic(oauthApp.clientId, 'wrong')],
    ['no header at all', ''],
  ])('the token endpoint refuses %s', async (_, authorization) => {
    const { token } = await startOAuthClient();
    const body = { grant_type: 'refresh_token', refresh_token: 'x', client_id: oauthApp.clientId };
    const response = await token(body, { authorization });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
    ]);
  });

  test('the token endpoint reads forms, not JSON', async () => {
    const { x } = await startOAuthClient();
    const { credentials } = await x.person('ann');
    const body = { grant_type: 'refresh_token', refresh_token: credentials.refreshToken };
    const response = await x.sendJson('POST', '/api.x.com/2/oauth2/token', body, { authorization: ours });
    expect(response.status).toBe(400);
  });

  test.each<Record<string, string>>([
    { client_id: 'stranger' },
    { redirect_uri: 'http://app.test/callback' },
    { response_type: 'token' },
    { code_challenge: '' },
    { code_challenge_method: 'S512' },
    { state: '' },
    { state: 's'.repeat(501) },
    { scope: '' },
    { scope: 'tweet.read nonsense' },
  ])('the consent page refuses %j without a redirect', async (change) => {
    const { page } = await startOAuthClient(change);
    const response = await page();
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(await response.text()).toContain('Something went wrong');
  });

  test('the consent page shows the scopes; a local redirect address needs no https', async () => {
    const { page } = await startOAuthClient({ redirect_uri: 'http://127.0.0.1:4000/callback' });
    const response = await page();
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<code>media.write</code>');
  });

  test('errors at the token endpoint have the format of that endpoint', async () => {
    const { x, token } = await startOAuthClient();
    await x.fault({ operation: 'token', kind: 'expired_token' });
    const body = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await (await token(body)).json()).toMatchObject({ error: 'invalid_request' });
    await x.fault({ operation: 'token', kind: 'status', status: 503 });
    const broken = await token(body);
    expect([broken.status, (await broken.json()).error]).toEqual([503, 'server_error']);
  });
});

const codeGrant = (back: URL) => ({
  grant_type: 'authorization_code',
  code: back.searchParams.get('code') ?? '',
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

async function startOAuthClient(change: Record<string, string> = {}, now: () => number = Date.now) {
  const x = await startX({ now });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: oauthApp.clientId,
    redirect_uri: redirectUri,
    scope,
    state: 's1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  });
  const address = `/x.com/i/oauth2/authorize?${query}`;
  return {
    x,
    page: () => x.at(address),
    async consent(choice: Record<string, string>) {
      const response = await x.at(address, { method: 'POST', body: new URLSearchParams(choice) });
      return new URL(response.headers.get('location') ?? 'none:');
    },
    token: (fields: Record<string, string>, headers: Record<string, string> = { authorization: ours }) =>
      x.at('/api.x.com/2/oauth2/token', { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}
