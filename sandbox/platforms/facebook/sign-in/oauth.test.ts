import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { callsAs, createPage, errorOf, startOAuthClient, startWithPage } from '../testing.ts';

const allow = (handle: string) => ({ decision: 'allow', account: 'new', handle });

describe('Facebook Login', () => {
  test('consent leads to a code, a long-lived token, Pages, and a Page token that never expires', async () => {
    const { sandbox, consent, token, redeem } = await startOAuthClient();
    const back = await consent(allow('bakery'));
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual(['https://app.test/callback', 's1']);
    const short = await (await redeem(back.searchParams.get('code') ?? '')).json();
    expect(short).toEqual({
      access_token: expect.stringMatching(/^EAA[A-Za-z0-9]+$/),
      token_type: 'bearer',
      expires_in: 5100,
    });
    const long = await (await token({ grant_type: 'fb_exchange_token', fb_exchange_token: short.access_token })).json();
    expect(long.expires_in).toBe(5_183_944);

    const person = callsAs(sandbox, long.access_token);
    const { data } = await (
      await person.get('me/accounts?fields=id,name,username,access_token,tasks,picture.type(large)')
    ).json();
    const [page] = data;
    expect(data).toHaveLength(1);
    expect(page).toMatchObject({
      name: 'bakery',
      username: 'bakery',
      tasks: expect.arrayContaining(['CREATE_CONTENT']),
    });

    const info = await (await sandbox.at(debugPath(page.access_token))).json();
    expect(info.data).toMatchObject({ type: 'PAGE', is_valid: true, expires_at: 0, profile_id: page.id });
    expect(info.data.granular_scopes).toContainEqual({ scope: 'pages_manage_posts', target_ids: [page.id] });
    const published = await callsAs(sandbox, page.access_token).post(`${page.id}/feed`, { message: 'Hello' });
    expect(published.status).toBe(200);
    const again = await (await person.get('me/accounts')).json();
    expect(again.data[0].access_token).toBe(page.access_token);
  });

  test('a person whose handle contains "admin" manages two Pages', async () => {
    const { sandbox, consent, redeem } = await startOAuthClient();
    const code = (await consent(allow('admin-ann'))).searchParams.get('code') ?? '';
    const { access_token } = await (await redeem(code)).json();
    const { data } = await (await callsAs(sandbox, access_token).get('me/accounts?fields=username')).json();
    expect(data.map(({ username }: { username: string }) => username)).toEqual(['admin-ann', 'admin-ann-two']);
  });

  test('a Page token from a short-lived token expires with it', async () => {
    let now = Date.now();
    const { sandbox, consent, redeem } = await startOAuthClient({ now: () => now });
    const code = (await consent(allow('bakery'))).searchParams.get('code') ?? '';
    const { access_token } = await (await redeem(code)).json();
    const { data } = await (await callsAs(sandbox, access_token).get('me/accounts')).json();
    const page = callsAs(sandbox, data[0].access_token);
    expect((await page.get('me')).status).toBe(200);
    now += 5_101_000;
    expect(await errorOf(page.get('me'))).toMatchObject({ status: 401, code: 190, subcode: 463 });
  });

  test('a denied consent returns the reason and the state', async () => {
    const { consent } = await startOAuthClient();
    const { searchParams } = await consent({ decision: 'deny' });
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      error_reason: 'user_denied',
      state: 's1',
    });
    expect(searchParams.get('code')).toBeNull();
  });

  test.each([
    [{ client_id: 'stranger' }, 'Invalid App ID'],
    [{ redirect_uri: 'http://app.test/' }, 'URL blocked'],
    [{ scope: 'pages_rule_the_world' }, 'Invalid Scopes: pages_rule_the_world'],
  ])('the consent page refuses %j', async (wrong, reason) => {
    const { sandbox, dialogPath } = await startOAuthClient();
    const page = await sandbox.at(dialogPath(wrong as unknown as Record<string, string>));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(reason);
  });

  test('a code works once, for its own redirect address and verifier', async () => {
    const { consent, redeem } = await startOAuthClient();
    const codeFor = async (more = {}) => (await consent(allow('bakery'), more)).searchParams.get('code') ?? '';
    const code = await codeFor();
    expect((await redeem(code)).status).toBe(200);
    expect(await errorOf(redeem(code))).toMatchObject({ status: 400, code: 100, subcode: 36009 });
    expect(await errorOf(redeem('made-up'))).toMatchObject({ code: 100, message: 'Invalid verification code format.' });
    const elsewhere = redeem(await codeFor(), { redirect_uri: 'https://app.test/other' });
    expect(await errorOf(elsewhere)).toMatchObject({ code: 100, subcode: 36008 });

    const code_challenge = createHash('sha256').update('right').digest('base64url');
    const challenged = () => codeFor({ code_challenge, code_challenge_method: 'S256' });
    expect((await errorOf(redeem(await challenged(), { code_verifier: 'wrong' }))).code).toBe(100);
    expect((await redeem(await challenged(), { code_verifier: 'right' })).status).toBe(200);
  });

  test('an unknown app is refused', async () => {
    const { token } = await startOAuthClient();
    expect(await errorOf(token({ client_id: 'stranger' }))).toMatchObject({ code: 101 });
    const wrong = await errorOf(token({ client_secret: 'wrong' }));
    expect(wrong).toMatchObject({ code: 1, message: 'Error validating client secret.' });
  });

  test('a user token and a token without the permission cannot post', async () => {
    const { sandbox, consent, redeem } = await startOAuthClient();
    const code = (await consent(allow('bakery'), { scope: 'pages_show_list' })).searchParams.get('code') ?? '';
    const { access_token } = await (await redeem(code)).json();
    const person = callsAs(sandbox, access_token);
    const [page] = (await (await person.get('me/accounts')).json()).data;
    for (const caller of [person, callsAs(sandbox, page.access_token)]) {
      const refused = await errorOf(caller.post(`${page.id}/feed`, { message: 'a' }));
      expect(refused).toMatchObject({ status: 403, code: 200, message: expect.stringContaining('pages_manage_posts') });
    }
    const { pageId: other } = await createPage(sandbox, 'florist');
    expect(await errorOf(person.post(`${other}/feed`, { message: 'a' }))).toMatchObject({ status: 403, code: 10 });
  });

  test('a token that is missing, unknown, revoked or of a suspended Page is refused', async () => {
    const { sandbox, get, post, accessToken, pageId } = await startWithPage();
    expect(await errorOf(sandbox.at('/graph.facebook.com/v26.0/me'))).toMatchObject({ status: 400, code: 104 });
    expect(await errorOf(callsAs(sandbox, 'EAAnobody').get('me'))).toMatchObject({ status: 401, code: 190 });
    const change = (fields: { [name: string]: boolean }) =>
      sandbox.sendJson('PATCH', '/_control/accounts', { network: 'facebook', handle: 'bakery', ...fields });
    await change({ suspended: true });
    expect(await errorOf(post(`${pageId}/feed`, { message: 'a' }))).toMatchObject({ code: 190, subcode: 459 });
    await change({ suspended: false, revokeTokens: true });
    expect(await errorOf(get('me'))).toMatchObject({ status: 400, code: 190, subcode: 460 });
    const { data } = await (await sandbox.at(debugPath(accessToken))).json();
    expect(data).toMatchObject({ is_valid: false, error: { code: 190, subcode: 460 } });
  });

  test('a proof of the app secret is checked when it is sent', async () => {
    const { get, accessToken } = await startWithPage();
    const proof = createHmac('sha256', oauthApp.clientSecret).update(accessToken).digest('hex');
    expect((await get(`me?appsecret_proof=${proof}`)).status).toBe(200);
    expect(await errorOf(get('me?appsecret_proof=0'))).toMatchObject({
      code: 100,
      message: expect.stringContaining('appsecret_proof'),
    });
  });

  test('an unknown version is refused', async () => {
    const { sandbox } = await startWithPage();
    for (const version of ['v99.0', 'latest']) {
      expect((await errorOf(sandbox.at(`/graph.facebook.com/${version}/me`))).code).toBe(2500);
    }
  });
});

function debugPath(token: string): string {
  const access_token = `${oauthApp.clientId}|${oauthApp.clientSecret}`;
  return `/graph.facebook.com/v26.0/debug_token?${new URLSearchParams({ input_token: token, access_token })}`;
}
