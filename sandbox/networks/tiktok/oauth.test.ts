import { describe, expect, test } from 'vitest';
import { application } from '../../application.ts';
import { aTikTok, codeOf, everything, redirectUri } from './testing.ts';

describe('TikTok OAuth', () => {
  test('consent, exchange, act, refresh, revoke', async () => {
    const tiktok = await aTikTok();
    const back = await tiktok.consent({ account: 'new', handle: 'Ann' });
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect([back.searchParams.get('state'), back.searchParams.get('scopes')]).toEqual(['s1', everything]);

    const granted = await (await tiktok.token(codeGrant(back))).json();
    expect(granted).toEqual({
      access_token: expect.stringMatching(/^act\./),
      expires_in: 7200,
      open_id: expect.stringMatching(/^-000/),
      refresh_expires_in: 31_536_000,
      refresh_token: expect.stringMatching(/^rft\./),
      scope: everything,
      token_type: 'Bearer',
    });
    const me = (accessToken: string) => tiktok.as(accessToken).get('/user/info/?fields=open_id,username');
    expect((await (await me(granted.access_token)).json()).data).toEqual({
      user: { open_id: granted.open_id, username: 'ann' },
    });

    const renewed = await (await tiktok.token(refreshGrant(granted.refresh_token))).json();
    expect(renewed).toMatchObject({ open_id: granted.open_id, scope: everything });
    expect((await me(renewed.access_token)).status).toBe(200);

    const ours = { client_key: application.clientId, client_secret: application.clientSecret };
    const path = '/open.tiktokapis.com/v2/oauth/revoke/';
    const revoked = await tiktok.form(path, { ...ours, token: renewed.access_token });
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    expect(await codeOf(await me(renewed.access_token))).toEqual([401, 'access_token_invalid']);
    expect((await (await tiktok.token(refreshGrant(renewed.refresh_token))).json()).error).toBe('invalid_grant');
  });

  test('a refresh token works once, and its refusal comes as a 200', async () => {
    const tiktok = await aTikTok();
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

  test('an access token ends after two hours, a refresh token after a year', async () => {
    let now = Date.now();
    const tiktok = await aTikTok({ now: () => now });
    const { credentials, get } = await tiktok.person('ann');
    now += 7_199_000;
    expect((await get('/user/info/?fields=open_id')).status).toBe(200);
    now += 2000;
    expect(await codeOf(await get('/user/info/?fields=open_id'))).toEqual([401, 'access_token_invalid']);
    now += 366 * 86_400_000;
    expect((await (await tiktok.token(refreshGrant(credentials.refreshToken))).json()).error).toBe('invalid_grant');
  });

  test('what a person unticks is not granted, and refused at the call', async () => {
    const tiktok = await aTikTok();
    const back = await tiktok.consent({ handle: 'ann', without: 'video.publish' });
    const { scope, access_token } = await (await tiktok.token(codeGrant(back))).json();
    expect(scope.split(',')).not.toContain('video.publish');
    const refused = await tiktok.as(access_token).initVideo();
    expect(await codeOf(refused)).toEqual([401, 'scope_not_authorized']);
  });

  test('one field without its scope fails the whole of the user info', async () => {
    const tiktok = await aTikTok();
    const back = await tiktok.consent({ handle: 'ann' }, { scope: 'user.info.basic' });
    const { access_token } = await (await tiktok.token(codeGrant(back))).json();
    const { get } = tiktok.as(access_token);
    expect((await get('/user/info/?fields=open_id,display_name')).status).toBe(200);
    expect(await codeOf(await get('/user/info/?fields=open_id,username'))).toEqual([401, 'scope_not_authorized']);
    expect(await codeOf(await get('/user/info/?fields=open_id,shoe_size'))).toEqual([400, 'invalid_params']);
    expect(await codeOf(await get('/user/info/'))).toEqual([400, 'invalid_params']);
  });

  test('a person who declines comes back with access_denied and the state', async () => {
    const back = await (await aTikTok()).consent({ decision: 'deny' });
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 's1']);
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('a code works once, and only for the address it was asked for', async () => {
    const tiktok = await aTikTok();
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
    const answer = await (await aTikTok()).token({ ...refreshGrant('rft.x'), ...change });
    expect((await answer.json()).error).toBe(error);
  });

  test.each([
    [{ client_key: 'stranger' }, 400],
    [{ redirect_uri: 'http://app.test/callback' }, 400],
    [{ redirect_uri: 'https://app.test/callback?keep=1' }, 400],
    [{ scope: 'user.info.basic video.publish' }, 302],
    [{ scope: 'comment.write' }, 302],
    [{ response_type: 'token' }, 302],
  ])('the consent page refuses %j', async (change, status) => {
    const tiktok = await aTikTok();
    const page = await tiktok.at(tiktok.authorizePath(change));
    expect(page.status).toBe(status);
    if (status === 302) expect(page.headers.get('location')).toMatch(/[?&]error=(invalid_scope|unsupported_)/);
  });

  test('a path without its last slash is unknown, and so is one at the wrong host', async () => {
    const { at } = await aTikTok();
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
