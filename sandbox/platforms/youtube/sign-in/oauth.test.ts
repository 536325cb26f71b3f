import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { errorOf, forceSslScope, redirectUri, startYouTube, uploadScope, verifier } from '../testing.ts';

const scope = `${uploadScope} ${forceSslScope}`;
const challenge = createHash('sha256').update(verifier).digest('base64url');
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

describe('Google OAuth', () => {
  test('an app gets consent, exchanges the code, acts as the channel and refreshes its token', async () => {
    const youtube = await startYouTube();
    const back = await youtube.consent({ account: 'new', handle: 'Ann' }, pkce);
    expect(back.href.startsWith(redirectUri)).toBe(true);
    expect([back.searchParams.get('state'), back.searchParams.get('scope')]).toEqual(['s1', scope]);

    const granted = await (await youtube.exchange(back, { code_verifier: verifier })).json();
    expect(granted).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      refresh_token: expect.stringMatching(/^1\/\//),
      scope,
      token_type: 'Bearer',
    });
    const mine = async (accessToken: string) => {
      const response = await youtube.as(accessToken).get('/channels?part=snippet,contentDetails&mine=true');
      return response.status === 200 ? (await response.json()).items[0] : response.status;
    };
    const channel = await mine(granted.access_token);
    expect(channel).toMatchObject({ id: expect.stringMatching(/^UC[\w-]{22}$/), snippet: { customUrl: '@ann' } });
    expect(channel.contentDetails.relatedPlaylists.uploads).toBe(channel.id.replace('UC', 'UU'));

    for (const time of ['first', 'second']) {
      const grant = { grant_type: 'refresh_token', refresh_token: granted.refresh_token };
      const renewed = await (await youtube.token(grant)).json();
      expect([time, Object.keys(renewed)]).toEqual([time, ['access_token', 'expires_in', 'scope', 'token_type']]);
      expect(await mine(renewed.access_token)).toMatchObject({ id: channel.id });
    }
  });

  test('a refresh token comes with the first consent, and later only with a forced consent', async () => {
    const youtube = await startYouTube();
    const connect = async (change: Record<string, string>) => {
      const granted = await (await youtube.exchange(await youtube.consent({ handle: 'ann' }, change))).json();
      return 'refresh_token' in granted;
    };
    expect(await connect({ access_type: 'online' })).toBe(false);
    expect(await connect({ prompt: '' })).toBe(true);
    expect(await connect({ prompt: '' })).toBe(false);
    expect(await connect({ prompt: 'select_account consent' })).toBe(true);
  });

  test('an access token expires after an hour, a refresh token after half a year without use', async () => {
    let now = Date.now();
    const youtube = await startYouTube({ now: () => now });
    const { credentials, get } = await youtube.channel('ann');
    const renew = async () =>
      (await youtube.token({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken })).status;
    now += 3_600_000;
    expect(await errorOf(await get('/channels?part=id&mine=true'))).toEqual([401, 'authError']);
    for (const days of [150, 150]) {
      now += days * 86_400_000;
      expect(await renew()).toBe(200);
    }
    now += 184 * 86_400_000;
    expect(await renew()).toBe(400);
  });

  test('a scope that the user unticks is not granted', async () => {
    const youtube = await startYouTube();
    const back = await youtube.consent({ handle: 'ann', without: forceSslScope });
    const { access_token, ...granted } = await (await youtube.exchange(back)).json();
    expect(granted.scope).toBe(uploadScope);
    expect(await errorOf(await youtube.as(access_token).comment('x', 'Hi'))).toEqual([403, 'insufficientPermissions']);
  });

  test('a denied consent returns access_denied and the state', async () => {
    const back = await (await startYouTube()).consent({ decision: 'deny' });
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 's1']);
    expect(back.searchParams.get('code')).toBeNull();
  });

  test.each([
    [{ code_verifier: 'another' }, 'invalid_grant', 400],
    [{ code_verifier: '' }, 'invalid_grant', 400],
    [{ code: 'made-up' }, 'invalid_grant', 400],
    [{ redirect_uri: 'https://app.test/other' }, 'redirect_uri_mismatch', 400],
    [{ client_id: 'stranger' }, 'invalid_client', 401],
    [{ client_secret: 'guessed' }, 'invalid_client', 401],
    [{ grant_type: 'password' }, 'unsupported_grant_type', 400],
  ])('the token endpoint refuses %j', async (change, error, status) => {
    const youtube = await startYouTube();
    const back = await youtube.consent({ handle: 'ann' }, pkce);
    const refused = await youtube.exchange(back, { code_verifier: verifier, ...change });
    expect([refused.status, (await refused.json()).error]).toEqual([status, error]);
  });

  test('a code works once', async () => {
    const youtube = await startYouTube();
    const back = await youtube.consent({ handle: 'ann' });
    expect((await youtube.exchange(back)).status).toBe(200);
    expect((await youtube.exchange(back)).status).toBe(400);
  });

  test.each([
    [{ client_id: 'stranger' }, 401, 'invalid_client'],
    [{ redirect_uri: 'http://app.test/callback' }, 400, 'redirect_uri_mismatch'],
    [{ scope: 'https://www.googleapis.com/auth/youtube.everything' }, 400, 'invalid_scope'],
    [{ response_type: 'token' }, 400, 'unsupported_response_type'],
  ])('the consent page refuses %j', async (change, status, code) => {
    const youtube = await startYouTube();
    const page = await youtube.at(youtube.authorizePath(change));
    expect([page.status, await page.text()]).toEqual([status, expect.stringContaining(`Error ${status}: ${code}`)]);
  });
});
