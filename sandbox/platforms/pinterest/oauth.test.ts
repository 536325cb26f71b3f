import { describe, expect, test } from 'vitest';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { startTestSandbox } from '../../testing.ts';

const redirectUri = 'https://app.test/callback?keep=1';
const asked = { client_id: oauthApp.clientId, redirect_uri: redirectUri, response_type: 'code', state: 's1' };
const ours = `Basic ${btoa(`${oauthApp.clientId}:${oauthApp.clientSecret}`)}`;
const dayMs = 86_400_000;

async function startPinterest(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const form = (path: string, fields: Record<string, string>, headers = {}) =>
    sandbox.at(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const page = (change: Record<string, string> = {}) =>
    `/www.pinterest.com/oauth/?${new URLSearchParams({ ...asked, scope: 'user_accounts:read,boards:read', ...change })}`;
  return {
    ...sandbox,
    page,
    token: (fields: Record<string, string>, authorization = ours) =>
      form('/api.pinterest.com/v5/oauth/token', fields, { authorization }),
    consent: async (choice: Record<string, string>, change: Record<string, string> = {}) =>
      new URL((await form(page(change), { decision: 'allow', ...choice })).headers.get('location') ?? 'none:'),
    me: (accessToken: string) =>
      sandbox.at('/api.pinterest.com/v5/user_account', { headers: { authorization: `Bearer ${accessToken}` } }),
    async person(handle: string) {
      return (await sandbox.sendJson('POST', '/_control/accounts', { network: 'pinterest', handle })).json();
    },
  };
}
const codeGrant = (back: URL) => ({
  grant_type: 'authorization_code',
  code: back.searchParams.get('code') ?? '',
  redirect_uri: redirectUri,
});
const refreshGrant = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token });

describe('Pinterest', () => {
  test('an app gets consent, exchanges the code, reads the account and refreshes its tokens', async () => {
    const pinterest = await startPinterest();
    const back = await pinterest.consent({ account: 'new', handle: 'Ann' });
    expect(back.href.startsWith(redirectUri)).toBe(true);
    expect(back.searchParams.get('state')).toBe('s1');
    const granted = await (await pinterest.token(codeGrant(back))).json();
    expect(granted).toEqual({
      access_token: expect.stringMatching(/^pina_/),
      refresh_token: expect.stringMatching(/^pinr_/),
      response_type: 'authorization_code',
      token_type: 'bearer',
      expires_in: 2_592_000,
      refresh_token_expires_in: 5_184_000,
      refresh_token_expires_at: expect.any(Number),
      scope: 'user_accounts:read boards:read',
    });
    expect(await (await pinterest.me(granted.access_token)).json()).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      username: 'ann',
      account_type: 'PINNER',
    });
    const renewed = await (await pinterest.token(refreshGrant(granted.refresh_token))).json();
    expect(renewed.response_type).toBe('refresh_token');
    expect((await pinterest.me(renewed.access_token)).status).toBe(200);
    const again = await pinterest.token(refreshGrant(granted.refresh_token));
    expect([again.status, await again.json()]).toEqual([401, { code: 2, message: 'Authentication failed.' }]);
  });

  test('a code works once, for its own redirect address', async () => {
    const pinterest = await startPinterest();
    const other = await pinterest.consent({ handle: 'ann' });
    const elsewhere = { ...codeGrant(other), redirect_uri: 'https://app.test/other' };
    expect((await pinterest.token(elsewhere)).status).toBe(400);
    const back = await pinterest.consent({ handle: 'ann' });
    expect((await pinterest.token(codeGrant(back))).status).toBe(200);
    expect((await pinterest.token(codeGrant(back))).status).toBe(400);
  });

  test('a denied consent returns access_denied', async () => {
    const back = await (await startPinterest()).consent({ decision: 'deny' });
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
  });

  test('an access token expires after 30 days, a refresh token after 60', async () => {
    let now = Date.now();
    const pinterest = await startPinterest({ now: () => now });
    const { credentials } = await pinterest.person('ann');
    now += 30 * dayMs + 1000;
    expect((await pinterest.me(credentials.accessToken)).status).toBe(401);
    now += 30 * dayMs;
    expect((await pinterest.token(refreshGrant(credentials.refreshToken))).status).toBe(401);
  });

  test('reading the account requires its scope', async () => {
    const pinterest = await startPinterest();
    const back = await pinterest.consent({ handle: 'ann' }, { scope: 'boards:read' });
    const { access_token } = await (await pinterest.token(codeGrant(back))).json();
    expect((await pinterest.me(access_token)).status).toBe(403);
  });

  test('only the app gets tokens', async () => {
    const pinterest = await startPinterest();
    const back = await pinterest.consent({ handle: 'ann' });
    expect((await pinterest.token(codeGrant(back), `Basic ${btoa('stranger:guess')}`)).status).toBe(401);
    expect((await pinterest.token({ grant_type: 'password' })).status).toBe(400);
  });

  test.each<Record<string, string>>([
    { client_id: 'stranger' },
    { redirect_uri: 'nowhere' },
    { response_type: 'token' },
    { scope: 'all' },
  ])('the consent page refuses %j', async (change) => {
    const pinterest = await startPinterest();
    expect((await pinterest.at(pinterest.page(change))).status).toBe(400);
  });

  test('a profile and its image are at their addresses', async () => {
    const pinterest = await startPinterest();
    const { account } = await pinterest.person('ann');
    const shown = await pinterest.at(account.profileUrl.replace('https:/', ''));
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('ann')]);
    expect((await pinterest.at(account.avatarUrl.replace('https:/', ''))).status).toBe(200);
    expect((await pinterest.at('/www.pinterest.com/nobody_here/')).status).toBe(404);
  });
});
