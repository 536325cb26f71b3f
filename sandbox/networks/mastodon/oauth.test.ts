import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aSandbox } from '../../testing.ts';

const redirectUri = 'https://app.test/callback?keep=1';
const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

describe('Mastodon OAuth', () => {
  test('register, consent, exchange, act, revoke', async () => {
    const { sandbox, app, consent, exchange } = await aClient();
    expect(app).toMatchObject({ name: 'Our app', redirect_uris: [redirectUri], client_secret_expires_at: 0 });
    const back = await consent({ decision: 'allow', account: 'new', handle: 'ann' });
    expect(`${back.origin}${back.pathname}`).toBe('https://app.test/callback');
    expect([back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['1', 's1']);

    const answer = await exchange({ code: back.searchParams.get('code') ?? '' });
    const token = await answer.json();
    expect(token).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      scope: 'read:accounts write:statuses',
      created_at: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${token.access_token}` };
    const me = () => sandbox.at('/mastodon.social/api/v1/accounts/verify_credentials', { headers });
    expect(await (await me()).json()).toMatchObject({ username: 'ann' });
    const verified = await sandbox.at('/mastodon.social/api/v1/apps/verify_credentials', { headers });
    expect(await verified.json()).toMatchObject({ name: 'Our app' });

    const { client_id, client_secret } = app;
    const stranger = { client_id, client_secret: 'wrong', token: token.access_token };
    expect((await sandbox.sendJson('POST', '/mastodon.social/oauth/revoke', stranger)).status).toBe(403);
    await sandbox.sendJson('POST', '/mastodon.social/oauth/revoke', { ...stranger, client_secret });
    const revoked = await me();
    expect([revoked.status, await revoked.json()]).toEqual([401, { error: 'The access token was revoked' }]);
  });

  test('the consent page names app, scopes and accounts, escaped, and needs no script', async () => {
    const { sandbox, authorizePath } = await aClient({ client_name: '<b>Evil</b>' });
    await sandbox.account('ann');
    await sandbox.account('zoe@art.mastodon.example');
    const page = await (await sandbox.at(authorizePath())).text();
    expect(page).toContain('&lt;b&gt;Evil&lt;/b&gt; wants to use your Mastodon account');
    expect(page).toContain('<code>write:statuses</code>');
    expect(page).toContain('@ann');
    expect(page).not.toContain('zoe');
    expect(page).not.toContain('<script');
  });

  test('a denied consent goes back with access_denied and the state', async () => {
    const { consent } = await aClient();
    const back = await consent({ decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('error_description')).toMatch(/denied/);
    expect(back.searchParams.get('state')).toBe('s1');
  });

  test('an existing account can be chosen', async () => {
    const { sandbox, consent, exchange } = await aClient();
    const { account } = await sandbox.account('ann');
    const back = await consent({ decision: 'allow', account: account.id });
    const token = await (await exchange({ code: back.searchParams.get('code') ?? '' })).json();
    const headers = { authorization: `Bearer ${token.access_token}` };
    const me = await sandbox.at('/mastodon.social/api/v1/accounts/verify_credentials', { headers });
    expect((await me.json()).id).toBe(account.id);
  });

  test('a code works once', async () => {
    const { consent, exchange } = await aClient();
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
  ])('%s is refused in the vendor’s words', async (_, change, status, error) => {
    const { consent, exchange } = await aClient();
    const code = (await consent({ decision: 'allow', handle: 'ann' })).searchParams.get('code') ?? '';
    const answer = await exchange({ code, ...change });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error, error_description: expect.any(String) });
  });

  test.each([
    ['an unregistered redirect address', { redirect_uri: 'https://evil.test/' }],
    ['an unknown client', { client_id: 'nobody' }],
    ['a scope that was not registered', { scope: 'admin:write' }],
    ['a plain PKCE challenge', { code_challenge_method: 'plain' }],
  ])('%s shows an error page and redirects nowhere', async (_, change) => {
    const { sandbox, authorizePath } = await aClient();
    const answer = await sandbox.at(authorizePath(change), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow', handle: 'ann' }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('a token acts within its scopes only, and on its own server only', async () => {
    const { sandbox, consent, exchange } = await aClient();
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

  test('an app token speaks for no user', async () => {
    const { sandbox, exchange } = await aClient();
    const { access_token } = await (
      await exchange({ grant_type: 'client_credentials', scope: 'write:statuses' })
    ).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await sandbox.sendJson('POST', '/mastodon.social/api/v1/statuses', { status: 'x' }, headers);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { error: 'This method requires an authenticated user' },
    ]);
  });

  test('discovery names the endpoints of that very host', async () => {
    const sandbox = await aSandbox();
    const found = await (await sandbox.at('/art.mastodon.example/.well-known/oauth-authorization-server')).json();
    expect(found).toMatchObject({
      token_endpoint: 'https://art.mastodon.example/oauth/token',
      code_challenge_methods_supported: ['S256'],
    });
  });
});

async function aClient(change: Record<string, string> = {}) {
  const sandbox = await aSandbox();
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
    const answer = await sandbox.at(authorizePath(), { method: 'POST', body: new URLSearchParams(choice) });
    return new URL(answer.headers.get('location') ?? '');
  };
  const exchange = (fields: Record<string, string>) => {
    const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...grant, code_verifier: verifier, ...fields });
    return sandbox.at('/mastodon.social/oauth/token', { method: 'POST', body });
  };
  return { sandbox, app, authorizePath, consent, exchange };
}
