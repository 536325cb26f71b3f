import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startTestSandbox } from '../../../testing.ts';

const redirectUri = 'https://app.test/callback?keep=1';
const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

describe('Mastodon OAuth', () => {
  test('an app registers, gets consent, exchanges the code and acts as the account', async () => {
    const { sandbox, app, consent, exchange } = await startOAuthClient();
    expect(app).toMatchObject({ name: 'Our app', redirect_uris: [redirectUri], client_secret_expires_at: 0 });
    expect(app.vapid_key).toMatch(/^[\w-]{87}=$/);
    const back = await consent({ decision: 'allow', account: 'new', handle: 'ann' });
    expect(`${back.origin}${back.pathname}`).toBe('https://app.test/callback');
    expect([back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['1', 's1']);

    const response = await exchange({ code: back.searchParams.get('code') ?? '' });
    const token = await response.json();
    expect(token).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      scope: 'read:accounts write:statuses',
      created_at: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${token.access_token}` };
    const me = () => sandbox.at('/mastodon.social/api/v1/accounts/verify_credentials', { headers });
    expect(await (await me()).json()).toMatchObject({ username: 'ann' });
  });

  test('the consent page shows app, scopes and accounts, escaped and without a script', async () => {
    const { sandbox, authorizePath } = await startOAuthClient({ client_name: '<b>Evil</b>' });
    await sandbox.account('ann');
    await sandbox.account('zoe@art.mastodon.example');
    const page = await (await sandbox.at(authorizePath())).text();
    expect(page).toContain('&lt;b&gt;Evil&lt;/b&gt; wants to use your Mastodon account');
    expect(page).toContain('<code>write:statuses</code>');
    expect(page).toContain('@ann');
    expect(page).not.toContain('zoe');
    expect(page).not.toContain('<script');
  });

  test('a denied consent returns access_denied and the state', async () => {
    const { consent } = await startOAuthClient();
    const back = await consent({ decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('error_description')).toMatch(/denied/);
    expect(back.searchParams.get('state')).toBe('s1');
  });

  test('an existing account can be chosen', async () => {
    const { sandbox, consent, exchange } = await startOAuthClient();
    const { account } = await sandbox.account('ann');
    const back = await consent({ decision: 'allow', account: account.id });
    const token = await (await exchange({ code: back.searchParams.get('code') ?? '' })).json();
    const headers = { authorization: `Bearer ${token.access_token}` };
    const me = await sandbox.at('/mastodon.social/api/v1/accounts/verify_credentials', { headers });
    expect((await me.json()).id).toBe(account.id);
  });

  test('a fork knows only whole scopes', async () => {
    const { sandbox } = await startOAuthClient();
    const register = (scopes: string) =>
      sandbox.sendJson('POST', '/whole.mastodon.example/api/v1/apps', {
        client_name: 'Our app',
        redirect_uris: redirectUri,
        scopes,
      });
    const refused = await register('read:accounts write:statuses');
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { error: expect.stringContaining("Scopes doesn't match configured on the server.") },
    ]);
    expect((await register('read write')).status).toBe(200);
  });

  test('a code works once', async () => {
    const { consent, exchange } = await startOAuthClient();
    const code = (await consent({ decision: 'allow', handle: 'ann' })).searchParams.get('code') ?? '';
    expect((await exchange({ code })).status).toBe(200);
    const again = await exchange({ code });
    expect([again.status, (await again.json()).error]).toEqual([400, 'invalid_grant']);
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'another' }, 400, 'invalid_grant'],
    ['another redirect address', { redirect_uri: 'https://app.test/other' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('%s gets the vendor’s error', async (_, change, status, error) => {
    const { consent, exchange } = await startOAuthClient();
    const code = (await consent({ decision: 'allow', handle: 'ann' })).searchParams.get('code') ?? '';
    const response = await exchange({ code, ...change });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error, error_description: expect.any(String) });
  });

  test.each([
    ['an unregistered redirect address', { redirect_uri: 'https://evil.test/' }],
    ['an unknown client', { client_id: 'nobody' }],
    ['a scope that was not registered', { scope: 'admin:write' }],
    ['a plain PKCE challenge', { code_challenge_method: 'plain' }],
  ])('%s shows an error page and redirects nowhere', async (_, change) => {
    const { sandbox, authorizePath } = await startOAuthClient();
    const response = await sandbox.at(authorizePath(change), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow', handle: 'ann' }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('a token works within its scopes and on its own server only', async () => {
    const { sandbox, consent, exchange } = await startOAuthClient();
    const code = (await consent({ decision: 'allow', handle: 'ann' })).searchParams.get('code') ?? '';
    const { access_token } = await (await exchange({ code })).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const upload = await sandbox.at('/mastodon.social/api/v2/media', { method: 'POST', headers });
    expect([upload.status, await upload.json()]).toEqual([
      403,
      { error: 'This action is outside the authorized scopes' },
    ]);
    const elsewhere = await sandbox.at('/art.mastodon.example/api/v1/accounts/verify_credentials', { headers });
    expect([elsewhere.status, await elsewhere.json()]).toEqual([401, { error: 'The access token is invalid' }]);
  });

  test('an app token acts for no account', async () => {
    const { sandbox, exchange } = await startOAuthClient();
    const { access_token } = await (
      await exchange({ grant_type: 'client_credentials', scope: 'write:statuses' })
    ).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const response = await sandbox.sendJson('POST', '/mastodon.social/api/v1/statuses', { status: 'x' }, headers);
    expect([response.status, await response.json()]).toEqual([
      422,
      { error: 'This method requires an authenticated user' },
    ]);
  });
});

async function startOAuthClient(change: Record<string, string> = {}) {
  const sandbox = await startTestSandbox();
  const registration = {
    client_name: 'Our app',
    redirect_uris: [redirectUri],
    scopes: 'read:accounts write:statuses write:media',
    website: 'https://app.test',
    ...change,
  };
  const app = await (await sandbox.sendJson('POST', '/mastodon.social/api/v1/apps', registration)).json();
  const { client_id, client_secret } = app;
  const authorizePath = (other: Record<string, string> = {}) =>
    `/mastodon.social/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: redirectUri,
      scope: 'read:accounts write:statuses',
      state: 's1',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...other,
    })}`;
  const consent = async (choice: Record<string, string>) => {
    const response = await sandbox.at(authorizePath(), { method: 'POST', body: new URLSearchParams(choice) });
    return new URL(response.headers.get('location') ?? '');
  };
  const exchange = (fields: Record<string, string>) => {
    const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...grant, code_verifier: verifier, ...fields });
    return sandbox.at('/mastodon.social/oauth/token', { method: 'POST', body });
  };
  return { sandbox, app, authorizePath, consent, exchange };
}
