import { describe, expect, test } from 'vitest';
import { allScopes, errorOf, redirectUri, startTikTok } from '../testing.ts';

describe('TikTok OAuth', () => {
  test('an app gets consent, exchanges the code, acts as the account and refreshes its tokens', async () => {
    const tiktok = await startTikTok();
    const back = await tiktok.consent({ account: 'new', handle: 'Ann' });
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect([back.searchParams.get('state'), back.searchParams.get('scopes')]).toEqual(['s1', allScopes]);

    const granted = await (await tiktok.token(codeGrant(back))).json();
    expect(granted).toEqual({
      access_token: expect.stringMatching(/^act\./),
      expires_in: 7200,
      open_id: expect.stringMatching(/^-000/),
      refresh_expires_in: 31_536_000,
      refresh_token: expect.stringMatching(/^rft\./),
      scope: allScopes,
      token_type: 'Bearer',
    });
    const me = (accessToken: string) => tiktok.as(accessToken).get('/user/info/?fields=open_id,username');
    expect((await (await me(granted.access_token)).json()).data).toEqual({
      user: { open_id: granted.open_id, username: 'ann' },
    });

    const renewed = await (await tiktok.token(refreshGrant(granted.refresh_token))).json();
    expect(renewed).toMatchObject({ open_id: granted.open_id, scope: allScopes });
    expect((await me(renewed.access_token)).status).toBe(200);
  });

  test('a refresh token works once, and its refusal has status 200', async () => {
    const tiktok = await startTikTok();
    const { credentials } = await tiktok.person('ann');
    const next = await (await tiktok.token(refreshGrant(credentials.refreshToken))).json();
    const again = await tiktok.token(refreshGrant(credentials.refreshToken));
    expect([again.status, await again.json()]).toEqual([
      200,
      {
        error: 'invalid_grant',
        error_description: 'Refresh token is invalid or expired.',
        log_id: expect.any(String),
      },
    ]);
    expect((await (await tiktok.token(refreshGrant(next.refresh_token))).json()).access_token).toBeDefined();
  });

  test('an access token expires after two hours, a refresh token after a year', async () => {
    let now = Date.now();
    const tiktok = await startTikTok({ now: () => now });
    const { credentials, get } = await tiktok.person('ann');
    now += 7_199_000;
    expect((await get('/user/info/?fields=open_id')).status).toBe(200);
    now += 2000;
    expect(await errorOf(await get('/user/info/?fields=open_id'))).toEqual([401, 'access_token_invalid']);
    now += 366 * 86_400_000;
    expect((await (await tiktok.token(refreshGrant(credentials.refreshToken))).json()).error).toBe('invalid_grant');
  });

  test('a scope that the user unticks is missing at the call', async () => {
    const tiktok = await startTikTok();
    const back = await tiktok.consent({ handle: 'ann', without: 'video.publish' });
    const { scope, access_token } = await (await tiktok.token(codeGrant(back))).json();
    expect(scope.split(',')).not.toContain('video.publish');
    const refused = await tiktok.as(access_token).initVideo();
    expect(await errorOf(refused)).toEqual([401, 'scope_not_authorized']);
  });

  test('a field without its scope fails the whole user info', async () => {
    const tiktok = await startTikTok();
    const back = await tiktok.consent({ handle: 'ann' }, { scope: 'user.info.basic' });
    const { access_token } = await (await tiktok.token(codeGrant(back))).json();
    const { get } = tiktok.as(access_token);
    expect((await get('/user/info/?fields=open_id,display_name')).status).toBe(200);
    expect(await errorOf(await get('/user/info/?fields=open_id,username'))).toEqual([401, 'scope_not_authorized']);
    expect(await errorOf(await get('/user/info/?fields=open_id,shoe_size'))).toEqual([400, 'invalid_params']);
    expect(await errorOf(await get('/user/info/'))).toEqual([400, 'invalid_params']);
  });

  test('a denied consent returns access_denied and the state', async () => {
    const back = await (await startTikTok()).consent({ decision: 'deny' });
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 's1']);
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('a code works once, for its own redirect address', async () => {
    const tiktok = await startTikTok();
    const back = await tiktok.consent({ handle: 'ann' });
    expect((await (await tiktok.token(codeGrant(back))).json()).access_token).toBeDefined();
    expect((await (await tiktok.token(codeGrant(back))).json()).error).toBe('invalid_grant');
    const other = await tiktok.consent({ handle: 'ann' });
    const grant = { ...codeGrant(other), redirect_uri: 'https://app.test/other' };
    expect((await (await tiktok.token(grant)).json()).error).toBe('invalid_request');
  });

  test.each([
    [{ client_key: 'stranger' }, 'invalid_client'],
    [{ client_secret: 'guessed' }, 'invalid_client'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('the token endpoint refuses %j', async (change, error) => {
    const response = await (await startTikTok()).token({ ...refreshGrant('rft.x'), ...change });
    expect((await response.json()).error).toBe(error);
  });

  test.each([
    [{ client_key: 'stranger' }, 400],
    [{ redirect_uri: 'http://app.test/callback' }, 400],
    [{ redirect_uri: 'https://app.test/callback?keep=1' }, 400],
    [{ scope: 'user.info.basic video.publish' }, 302],
    [{ scope: 'comment.write' }, 302],
    [{ response_type: 'token' }, 302],
  ])('the consent page refuses %j', async (change, status) => {
    const tiktok = await startTikTok();
    const page = await tiktok.at(tiktok.authorizePath(change));
    expect(page.status).toBe(status);
    if (status === 302) expect(page.headers.get('location')).toMatch(/[?&]error=(invalid_scope|unsupported_)/);
  });

  test('a path without its final slash and a wrong host are unknown', async () => {
    const { at } = await startTikTok();
    const missing = await at('/open.tiktokapis.com/v2/oauth/token', { method: 'POST' });
    expect([missing.status, await missing.text()]).toEqual([404, 'Unsupported path(Janus)']);
    expect((await at('/www.tiktok.com/v2/user/info/?fields=open_id')).status).toBe(404);
  });
});

function codeGrant(back: URL) {
  const code = back.searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
}

function refreshGrant(refresh_token: string) {
  return { grant_type: 'refresh_token', refresh_token };
}
