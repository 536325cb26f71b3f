import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../test-media.ts';
import { startTestSandbox } from '../../testing.ts';

describe('Mastodon statuses', () => {
  test('the addresses of tags are encoded', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const { tags } = await (await ann.publish({ status: 'Hi #Grüße' })).json();
    expect(tags).toEqual([{ name: 'grüße', url: 'https://mastodon.social/tags/gr%C3%BC%C3%9Fe' }]);
    const { source } = await (await ann.get('/api/v1/accounts/verify_credentials')).json();
    expect(source).toMatchObject({ indexable: false });
  });

  test('a status has the vendor’s format, real addresses and an increasing numeric id', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const first = await (await ann.publish({ status: 'Hi #Tag\n\nsee https://a.test/?x=1&y=<2>' })).json();
    const second = await (await ann.publish({ status: 'again', visibility: 'unlisted', spoiler_text: 'cw' })).json();
    expect(first).toMatchObject({
      id: expect.stringMatching(/^\d{15,20}$/),
      url: `https://mastodon.social/@ann/${first.id}`,
      uri: `https://mastodon.social/users/ann/statuses/${first.id}`,
      visibility: 'public',
      tags: [{ name: 'tag', url: 'https://mastodon.social/tags/tag' }],
      account: { username: 'ann', acct: 'ann' },
    });
    expect(first.content).toMatch(/^<p>Hi #Tag<\/p><p>see <a href="https:\/\/a\.test\/\?x=1&amp;y=" rel/);
    expect(second).toMatchObject({ visibility: 'unlisted', spoiler_text: 'cw', sensitive: true });
    expect(BigInt(second.id)).toBeGreaterThan(BigInt(first.id));
  });

  test('form and multipart bodies work like JSON', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const headers = { authorization: `Bearer ${ann.credentials.accessToken}` };
    const { id } = await (await ann.upload(tinyPng)).json();
    const fields: [string, string][] = [
      ['status', 'by form'],
      ['media_ids[]', id],
    ];
    const form = new FormData();
    form.set('status', 'by multipart');
    const path = '/mastodon.social/api/v1/statuses';
    await sandbox.at(path, { method: 'POST', body: new URLSearchParams(fields), headers });
    await sandbox.at(path, { method: 'POST', body: form, headers });
    const posts = await sandbox.posts();
    expect(posts[0]).toMatchObject({ text: 'by form', media: [{ kind: 'image' }] });
    expect(posts[1]).toMatchObject({ text: 'by multipart' });
  });

  test('a repeated Idempotency-Key returns the first status and creates no second one', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const key = { 'idempotency-key': 'k1' };
    const first = await (await ann.publish({ status: 'one' }, key)).json();
    const again = await ann.publish({ status: 'changed' }, key);
    expect([again.status, (await again.json()).id]).toEqual([200, first.id]);
    expect((await (await bo.publish({ status: 'one' }, key)).json()).id).not.toBe(first.id);
    expect(await sandbox.posts()).toHaveLength(2);
  });

  test('an Idempotency-Key expires after an hour', async () => {
    let now = Date.now();
    const sandbox = await startTestSandbox({ now: () => now });
    const ann = await sandbox.account('ann');
    await ann.publish({ status: 'one' }, { 'idempotency-key': 'k1' });
    now += 61 * 60_000;
    await ann.publish({ status: 'one' }, { 'idempotency-key': 'k1' });
    expect(await sandbox.posts()).toHaveLength(2);
  });

  test.each([
    ['a'.repeat(500), true],
    ['a'.repeat(501), false],
    ['👩‍👩‍👧‍👦'.repeat(500), true],
    [`${'a'.repeat(476)} https://example.com/${'long'.repeat(50)}`, true],
    [`${'a'.repeat(477)} https://example.com/${'long'.repeat(50)}`, false],
    [`${'a'.repeat(475)} https://example.com/x.`, true],
    [`${'a'.repeat(476)} https://example.com/x.`, false],
    [`${'a'.repeat(476)} https://example.com/`, true],
    [`${'a'.repeat(490)} @bo@some.example`, true],
    [`${'a'.repeat(480)} example.com/not-counted-as-a-link`, false],
  ])('length is counted as by the vendor (%#)', async (status, isAllowed) => {
    const ann = await (await startTestSandbox()).account('ann');
    const response = await ann.publish({ status });
    expect(response.status).toBe(isAllowed ? 200 : 422);
    if (!isAllowed) {
      expect(await response.json()).toEqual({ error: 'Validation failed: Text character limit of 500 exceeded' });
    }
  });

  test('another server has and reports its own limit', async () => {
    const bo = await (await startTestSandbox()).account('bo@art.mastodon.example');
    const { configuration } = await (await bo.get('/api/v2/instance')).json();
    const { max_characters } = configuration.statuses;
    expect(max_characters).toBe(5000);
    expect((await bo.publish({ status: 'a'.repeat(max_characters) })).status).toBe(200);
    expect((await bo.publish({ status: 'a'.repeat(max_characters + 1) })).status).toBe(422);
    expect((await (await bo.get('/api/v1/instance')).json()).configuration.statuses.max_characters).toBe(5000);
  });

  test('a blank status needs media', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const blank = await ann.publish({ status: '  \n' });
    expect([blank.status, (await blank.json()).error]).toEqual([422, "Validation failed: Text can't be blank"]);
    const { id } = await (await ann.upload(tinyPng)).json();
    expect((await ann.publish({ media_ids: [id] })).status).toBe(200);
  });

  test('a reply to an unknown status is 404; a thread appears in context', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const missing = await ann.publish({ status: 'two', in_reply_to_id: '1' });
    const text = 'The post you are trying to reply to does not appear to exist.';
    expect([missing.status, (await missing.json()).error]).toEqual([404, text]);
    const one = await (await ann.publish({ status: 'one' })).json();
    const two = await (await ann.publish({ status: 'two', in_reply_to_id: one.id })).json();
    const three = await (await ann.publish({ status: 'three', in_reply_to_id: two.id })).json();
    const context = await (await ann.get(`/api/v1/statuses/${two.id}/context`)).json();
    expect(context).toMatchObject({ ancestors: [{ id: one.id }], descendants: [{ id: three.id }] });
    expect(await (await ann.get(`/api/v1/statuses/${one.id}`)).json()).toMatchObject({ replies_count: 1 });
  });

  test('deleting needs the scope to write statuses', async () => {
    const sandbox = await startTestSandbox();
    const { id } = await (await (await sandbox.account('ann')).publish({ status: 'one' })).json();
    const asked = { network: 'mastodon', handle: 'ann', scope: 'read:statuses write:media' };
    const { credentials } = await (await sandbox.sendJson('POST', '/_control/accounts', asked)).json();
    const headers = { authorization: `Bearer ${credentials.accessToken}` };
    const refused = await sandbox.at(`/${credentials.instance}/api/v1/statuses/${id}`, { method: 'DELETE', headers });
    expect([refused.status, (await refused.json()).error]).toEqual([
      403,
      'This action is outside the authorized scopes',
    ]);
    expect(await sandbox.posts()).toHaveLength(1);
  });

  test('a deleted status returns its text once, then 404', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { id } = await (await ann.publish({ status: 'one' })).json();
    expect((await bo.send('DELETE', `/api/v1/statuses/${id}`, {})).status).toBe(404);
    expect(await (await ann.send('DELETE', `/api/v1/statuses/${id}`, {})).json()).toMatchObject({ id, text: 'one' });
    expect((await ann.get(`/api/v1/statuses/${id}`)).status).toBe(404);
    expect((await ann.send('DELETE', `/api/v1/statuses/${id}`, {})).status).toBe(404);
    expect(await sandbox.posts()).toEqual([]);
  });

  test('favourites and boosts are counted once per account', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { id } = await (await ann.publish({ status: 'one' })).json();
    for (const who of [ann, bo, bo]) await who.send('POST', `/api/v1/statuses/${id}/favourite`, {});
    const boost = await (await bo.send('POST', `/api/v1/statuses/${id}/reblog`, {})).json();
    expect(boost).toMatchObject({ reblog: { id } });
    const [counted] = await (await ann.get(`/api/v1/statuses?id[]=${id}&id[]=1`)).json();
    expect(counted).toMatchObject({ favourites_count: 2, reblogs_count: 1 });
  });

  test('an account’s statuses are paged newest first', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const ids: string[] = [];
    for (const status of ['1', '2', '3', '4', '5']) ids.unshift((await (await ann.publish({ status })).json()).id);
    const page = async (query: string) => {
      const statuses = await (await ann.get(`/api/v1/accounts/${ann.account.id}/statuses?${query}`)).json();
      return statuses.map((status: { id: string }) => ids.indexOf(status.id));
    };
    expect(await page('')).toEqual([0, 1, 2, 3, 4]);
    expect(await page('limit=2')).toEqual([0, 1]);
    expect(await page(`limit=2&max_id=${ids[1]}`)).toEqual([2, 3]);
    expect(await page(`limit=2&min_id=${ids[3]}`)).toEqual([1, 2]);
    expect(await page(`since_id=${ids[2]}`)).toEqual([0, 1]);
  });

  test('a private status is visible only to its author', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { id } = await (await ann.publish({ status: 'one', visibility: 'private' })).json();
    expect((await ann.get(`/api/v1/statuses/${id}`)).status).toBe(200);
    expect((await bo.get(`/api/v1/statuses/${id}`)).status).toBe(404);
    expect((await ann.publish({ status: 'one', visibility: 'secret' })).status).toBe(422);
  });

  test('a poll is stored and shown; it needs two options', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const poll = { options: ['yes', 'no'], expires_in: 3600 };
    const { poll: shown } = await (await ann.publish({ status: 'well?', poll })).json();
    expect(shown).toMatchObject({ options: [{ title: 'yes' }, { title: 'no' }], expired: false });
    expect((await ann.publish({ status: 'well?', poll: { ...poll, options: ['yes'] } })).status).toBe(422);
  });

  test('every response reports the rate limit, which is enforced only with the vendor’s limits', async () => {
    const now = () => 1_800_000_000_000;
    const relaxed = await (await startTestSandbox({ now })).account('ann');
    const strict = await (await startTestSandbox({ now, rateLimits: 'vendor' })).account('ann');
    const asOften = async (who: typeof relaxed) => {
      let last = await who.get('/api/v1/accounts/verify_credentials');
      for (let count = 1; count < 301; count += 1) last = await who.get('/api/v1/accounts/verify_credentials');
      return [last.status, last.headers.get('x-ratelimit-limit'), last.headers.get('x-ratelimit-remaining')];
    };
    expect(await asOften(relaxed)).toEqual([200, '300', '0']);
    expect(await asOften(strict)).toEqual([429, '300', '0']);
  });

  test('quotes are counted per status, and a quote contains the quoted status', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { id } = await (await ann.publish({ status: 'one' })).json();
    const quotes = [];
    for (let time = 1; time <= 2; time += 1) {
      quotes.push(await (await bo.publish({ status: 'so', quoted_status_id: id })).json());
    }
    expect(quotes[0].quote).toMatchObject({ state: 'accepted', quoted_status: { id } });
    const count = async () => (await (await ann.get(`/api/v1/statuses/${id}`)).json()).quotes_count;
    expect(await count()).toBe(2);
    await bo.send('DELETE', `/api/v1/statuses/${quotes[0].id}`, {});
    expect(await count()).toBe(1);
    expect((await bo.publish({ status: 'so', quoted_status_id: '1' })).status).toBe(404);
  });

  test('an account counts its followers and whom it follows', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const counts = async () => {
      const { followers_count, following_count } = await (await ann.get(`/api/v1/accounts/${ann.account.id}`)).json();
      return [followers_count, following_count];
    };
    for (let time = 1; time <= 2; time += 1) await bo.send('POST', `/api/v1/accounts/${ann.account.id}/follow`, {});
    await ann.send('POST', `/api/v1/accounts/${bo.account.id}/follow`, {});
    expect(await counts()).toEqual([1, 1]);
  });

  test('an old server has neither lists of statuses nor quotes', async () => {
    const ann = await (await startTestSandbox()).account('ann@old.mastodon.example');
    const status = await (await ann.publish({ status: 'one' })).json();
    expect(Object.keys(status)).not.toContain('quotes_count');
    expect((await ann.get(`/api/v1/statuses?id[]=${status.id}`)).status).toBe(404);
    expect((await ann.get(`/api/v1/statuses/${status.id}`)).status).toBe(200);
    expect((await (await ann.get('/api/v2/instance')).json()).version).toBe('4.2.0');
  });
});
