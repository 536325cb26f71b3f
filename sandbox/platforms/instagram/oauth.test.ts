import { describe, expect, test } from 'vitest';
import { oauthApp } from '../../oauth/oauth-app.ts';
import { errorOf, startInstagram } from './testing.ts';

const dayMs = 86_400_000;
const client_secret = oauthApp.clientSecret;

describe('Instagram Login', () => {
  test('consent leads to a short-lived and a long-lived token that work', async () => {
    const instagram = await startInstagram();
    const back = await instagram.consent({ handle: 'Ann.Lee' });
    expect([back.origin + back.pathname, back.hash]).toEqual(['https://app.test/callback', '#_']);
    expect([back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['1', 's1']);

    const response = await (await instagram.exchange(back.searchParams.get('code') ?? '')).text();
    // The id is a bare number that exceeds JavaScript's exact integers.
    const [, userId = ''] = /"user_id":(\d{17}),/.exec(response) ?? [];
    const short = JSON.parse(response);
    expect(String(short.user_id)).not.toBe(userId);
    expect(short.permissions).toEqual(['instagram_business_basic', 'instagram_business_content_publish']);

    const query = { grant_type: 'ig_exchange_token', client_secret, access_token: short.access_token };
    const long = await (await instagram.tokens('access_token', query)).json();
    expect(long).toEqual({
      access_token: expect.stringMatching(/^IGAA/),
      token_type: 'bearer',
      expires_in: 60 * 86_400,
    });
    const fields = 'user_id,username,name,account_type,profile_picture_url,followers_count';
    const me = await (await instagram.as(long.access_token, userId).get(`/me?fields=${fields}`)).json();
    expect(me).toMatchObject({ user_id: userId, username: 'ann.lee', account_type: 'Business', followers_count: 0 });
    expect(me.id).not.toBe(userId);
  });

  test('a short-lived token expires after an hour, a long-lived one after sixty days', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const { long, short } = await tokensOf(instagram);
    now += 60 * 60_000 + 1000;
    expect(await errorOf(instagram.as(short, '').get('/me'))).toEqual([400, 190, 463]);
    expect((await instagram.as(long, '').get('/me')).status).toBe(200);
    now += 60 * dayMs;
    expect(await errorOf(instagram.as(long, '').get('/me'))).toEqual([400, 190, 463]);
    const query = { grant_type: 'ig_refresh_token', access_token: long };
    expect(await errorOf(instagram.tokens('refresh_access_token', query))).toEqual([400, 190, 463]);
  });

  test('a long-lived token can be refreshed when it is a day old', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const { long, short } = await tokensOf(instagram);
    const refresh = (access_token: string) =>
      instagram.tokens('refresh_access_token', { grant_type: 'ig_refresh_token', access_token });
    expect(await errorOf(refresh(short))).toEqual([400, 100, undefined]);
    expect(await errorOf(refresh(long))).toEqual([400, 100, undefined]);
    now += dayMs;
    const renewed = await (await refresh(long)).json();
    expect(renewed.access_token).not.toBe(long);
    now += 59 * dayMs + 1000;
    expect((await instagram.as(long, '').get('/me')).status).toBe(400);
    expect((await instagram.as(renewed.access_token, '').get('/me')).status).toBe(200);
  });

  test('the token of the control API is old enough to be refreshed', async () => {
    const instagram = await startInstagram();
    const { credentials } = await instagram.person('ann');
    const query = { grant_type: 'ig_refresh_token', access_token: credentials.accessToken };
    expect((await instagram.tokens('refresh_access_token', query)).status).toBe(200);
  });

  test('a long-lived token cannot be exchanged again, and no token without the app secret', async () => {
    const instagram = await startInstagram();
    const { long, short } = await tokensOf(instagram);
    const exchange = (access_token: string, secret = client_secret) =>
      instagram.tokens('access_token', { grant_type: 'ig_exchange_token', client_secret: secret, access_token });
    expect(await errorOf(exchange(long))).toEqual([400, 452, undefined]);
    expect(await errorOf(exchange(short, 'wrong'))).toEqual([400, 101, undefined]);
    expect(await errorOf(exchange('IGAAmade-up'))).toEqual([401, 190, undefined]);
  });

  test('a code works once, within an hour, for its own redirect address', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const code = async () => (await instagram.consent({ handle: 'ann' })).searchParams.get('code') ?? '';
    const used = await code();
    expect((await instagram.exchange(used)).status).toBe(200);
    const again = await instagram.exchange(used);
    expect([again.status, await again.json()]).toEqual([
      400,
      {
        error_type: 'OAuthException',
        code: 400,
        error_message: 'Matching code was not found or was already used',
      },
    ]);
    expect((await instagram.exchange(await code(), { redirect_uri: 'https://app.test/other' })).status).toBe(400);
    const late = await code();
    now += 60 * 60_000;
    expect((await instagram.exchange(late)).status).toBe(400);
  });

  test.each<Record<string, string>>([
    { client_id: 'stranger' },
    { client_secret: 'wrong' },
    { grant_type: 'password' },
  ])('the exchange refuses %j', async (change) => {
    const instagram = await startInstagram();
    const back = await instagram.consent({ handle: 'ann' });
    const response = await instagram.exchange(back.searchParams.get('code') ?? '', change);
    expect([response.status, (await response.json()).error_type]).toEqual([400, 'OAuthException']);
  });

  test.each<Record<string, string>>([
    { client_id: 'stranger' },
    { redirect_uri: 'http://app.test/callback' },
    { response_type: 'token' },
    { scope: 'instagram_business_content_publish' },
    { scope: 'instagram_business_basic,nonsense' },
  ])('the consent page refuses %j without a redirect', async (change) => {
    const instagram = await startInstagram();
    const response = await instagram.at(instagram.authorizePath(change));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('a denied consent returns access_denied and the state', async () => {
    const instagram = await startInstagram();
    const { searchParams } = await instagram.consent({ decision: 'deny' });
    expect([searchParams.get('error'), searchParams.get('error_reason')]).toEqual(['access_denied', 'user_denied']);
    expect([searchParams.get('state'), searchParams.get('code')]).toEqual(['s1', null]);
  });

  test('a scope that was not requested is missing at the call', async () => {
    const instagram = await startInstagram();
    const { long, userId } = await tokensOf(instagram, 'instagram_business_basic');
    const ann = instagram.as(long, userId);
    expect((await ann.get('/me')).status).toBe(200);
    expect(await errorOf(ann.create({ image_url: 'https://x.test/a.jpg' }))).toEqual([403, 10, undefined]);
  });

  test('a revoked token is invalid; another account is not found', async () => {
    const instagram = await startInstagram();
    const [ann, bo] = [await instagram.person('ann'), await instagram.person('bo')];
    expect(await errorOf(ann.get(`/${bo.account.id}?fields=username`))).toEqual([400, 100, 33]);
    const revoke = { network: 'instagram', handle: 'ann', revokeTokens: true };
    await instagram.sendJson('PATCH', '/_control/accounts', revoke);
    expect(await errorOf(ann.get('/me'))).toEqual([400, 190, 460]);
    expect((await bo.get('/me')).status).toBe(200);
  });

  test('the token may be in the query; without a token the call is refused', async () => {
    const instagram = await startInstagram();
    const { credentials } = await instagram.person('ann');
    const path = '/graph.instagram.com/v25.0/me';
    expect((await instagram.at(`${path}?access_token=${credentials.accessToken}`)).status).toBe(200);
    expect(await errorOf(instagram.at(path))).toEqual([400, 104, undefined]);
    const [request] = (await instagram.requests('instagram')).filter(
      ({ status }: { status: number }) => status === 200,
    );
    expect(request.path).toBe('/v25.0/me?access_token=[redacted]');
  });

  test('errors have the format of their endpoint', async () => {
    const instagram = await startInstagram();
    await instagram.fault({ operation: 'token', kind: 'status', status: 500 });
    expect(await (await instagram.exchange('x')).json()).toMatchObject({ error_type: 'OAuthException', code: 500 });
    await instagram.fault({ operation: 'token', kind: 'status', status: 500 });
    expect(await errorOf(instagram.tokens('refresh_access_token', {}))).toEqual([500, 1, undefined]);
  });
});

async function tokensOf(
  instagram: Awaited<ReturnType<typeof startInstagram>>,
  scope = 'instagram_business_basic,instagram_business_content_publish',
) {
  const back = await instagram.consent({ handle: 'ann' }, { scope });
  const response = await (await instagram.exchange(back.searchParams.get('code') ?? '')).text();
  const short: string = JSON.parse(response).access_token;
  const query = { grant_type: 'ig_exchange_token', client_secret, access_token: short };
  const long: string = (await (await instagram.tokens('access_token', query)).json()).access_token;
  return { short, long, userId: /"user_id":(\d+)/.exec(response)?.[1] ?? '' };
}
