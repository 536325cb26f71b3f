import { describe, expect, test } from 'vitest';
import { client_secret, errorOf, startThreads } from './testing.ts';

const dayMs = 86_400_000;
const scope = 'threads_basic,threads_content_publish,threads_manage_replies';

describe('Threads OAuth', () => {
  test.each(['threads.net', 'www.threads.net', 'threads.com', 'www.threads.com'])(
    'consent at %s leads to a short-lived and a long-lived token that work',
    async (website) => {
      const threads = await startThreads();
      const response = await (await threads.exchange(await threads.consent('ann', scope, website))).text();
      const [, userId = ''] = /"user_id":(\d{17})}$/.exec(response) ?? [];
      const query = { grant_type: 'th_exchange_token', client_secret, access_token: JSON.parse(response).access_token };
      const long = await (await threads.tokens('access_token', query)).json();
      expect(long).toMatchObject({ token_type: 'bearer', expires_in: 60 * 86_400 });
      const fields = 'id,username,name,threads_profile_picture_url,is_verified';
      const me = await (await threads.as(long.access_token).get(`/me?fields=${fields}`)).json();
      expect(me).toMatchObject({ id: userId, username: 'ann', name: 'ann', is_verified: false });
      const other = await threads.at(`/graph.threads.com/v1.0/me?access_token=${long.access_token}`);
      expect(await other.json()).toEqual({ id: userId });
    },
  );

  test('a long-lived token can be refreshed when it is a day old', async () => {
    let now = Date.now();
    const threads = await startThreads({ now: () => now });
    const { access_token: short } = await (await threads.exchange(await threads.consent('ann', scope))).json();
    const exchange = { grant_type: 'th_exchange_token', client_secret, access_token: short };
    const { access_token: long } = await (await threads.tokens('access_token', exchange)).json();
    const refresh = (access_token: string) =>
      threads.tokens('refresh_access_token', { grant_type: 'th_refresh_token', access_token });
    expect(await errorOf(refresh(long))).toEqual([400, 100, undefined]);
    now += dayMs;
    expect((await refresh(long)).status).toBe(200);
    now += 59 * dayMs;
    expect(await errorOf(refresh(long))).toEqual([400, 190, 463]);
    const { credentials } = await threads.person('bo');
    expect((await refresh(credentials.accessToken)).status).toBe(200);
  });

  test('an unknown code gets the endpoint’s error', async () => {
    const threads = await startThreads();
    const response = await threads.exchange('made-up');
    expect([response.status, await response.json()]).toEqual([
      400,
      { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found or was already used' },
    ]);
  });

  test('debug_token returns the scopes of a token', async () => {
    const now = Date.UTC(2026, 9, 1);
    const threads = await startThreads({ now: () => now });
    const { credentials, get, account } = await threads.person('ann');
    const { data } = await (await get(`/debug_token?input_token=${credentials.accessToken}`)).json();
    expect(data).toMatchObject({
      type: 'USER',
      is_valid: true,
      issued_at: now / 1000,
      expires_at: now / 1000 + 60 * 86_400,
      user_id: account.id,
      scopes: expect.arrayContaining(['threads_basic', 'threads_manage_replies']),
    });
    expect((await (await get('/debug_token?input_token=made-up')).json()).data.is_valid).toBe(false);
  });

  test('a person whose handle contains "noreply" does not grant the permission to reply', async () => {
    const threads = await startThreads();
    const shy = await threads.person('shy.noreply');
    const { data } = await (await shy.get(`/debug_token?input_token=${shy.credentials.accessToken}`)).json();
    expect(data.scopes).not.toContain('threads_manage_replies');
    const root = await shy.write('One');
    const refused = shy.create({ media_type: 'TEXT', text: 'Two', reply_to_id: root });
    expect(await errorOf(refused)).toEqual([403, 10, undefined]);
    const consented = await threads.allowing('other.noreply', ...scope.split(','));
    const own = await consented.write('One');
    const again = consented.create({ media_type: 'TEXT', text: 'Two', reply_to_id: own });
    expect(await errorOf(again)).toEqual([403, 10, undefined]);
    expect(await threads.posts()).toHaveLength(2);
  });

  test('a scope that was not granted is missing at the call', async () => {
    const threads = await startThreads();
    const ann = await threads.allowing('ann', 'threads_basic');
    const refused = [403, 10, undefined];
    expect(await errorOf(ann.create({ media_type: 'TEXT', text: 'x' }))).toEqual(refused);
    expect(await errorOf(ann.remove('/1'))).toEqual(refused);
    for (const edge of ['replies', 'threads_publishing_limit']) {
      expect(await errorOf(ann.get(`/me/${edge}`))).toEqual(refused);
    }
    expect((await ann.get('/me/threads')).status).toBe(200);
  });

  test('a reply to other accounts requires the permission to find them', async () => {
    const threads = await startThreads();
    const bo = await threads.person('bo');
    const [root, mine] = [
      await bo.write('Hello'),
      ['threads_basic', 'threads_content_publish', 'threads_manage_replies'],
    ];
    const reply = { media_type: 'TEXT', text: 'Hi', reply_to_id: root };
    const ann = await threads.allowing('ann', ...mine);
    expect(await errorOf(ann.create(reply))).toEqual([403, 10, undefined]);
    const named = await threads.allowing('ann', ...mine, 'threads_manage_mentions');
    expect((await named.create(reply)).status).toBe(200);
  });

  test('a revoked token and an unknown token are refused', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    await threads.sendJson('PATCH', '/_control/accounts', { network: 'threads', handle: 'ann', revokeTokens: true });
    expect(await errorOf(ann.get('/me'))).toEqual([400, 190, 460]);
    expect(await errorOf(threads.as('THAAmade-up').get('/me'))).toEqual([401, 190, undefined]);
  });
});
