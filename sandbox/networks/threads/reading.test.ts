import { describe, expect, test } from 'vitest';
import { aThreads, refusalOf } from './testing.ts';

const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('reading Threads', () => {
  test('a post by id, with what was asked for', async () => {
    const now = Date.UTC(2026, 9, 1, 8);
    const threads = await aThreads({ now: () => now });
    const ann = await threads.person('ann');
    const id = await ann.write('Hello #design');
    const fields = 'text,media_type,media_product_type,timestamp,username,owner,topic_tag,is_quote_post,reply_audience';
    expect(await (await ann.get(`/${id}?fields=${fields}`)).json()).toEqual({
      id,
      text: 'Hello #design',
      media_type: 'TEXT_POST',
      media_product_type: 'THREADS',
      timestamp: '2026-10-01T08:00:00+0000',
      username: 'ann',
      owner: { id: ann.account.id },
      topic_tag: 'design',
      is_quote_post: false,
      reply_audience: 'EVERYONE',
    });
    expect(await refusalOf(ann.get(`/${id}?fields=caption`))).toEqual([400, 100, undefined]);
  });

  test('own posts without replies, own replies without posts, newest first', async () => {
    const threads = await aThreads();
    const ann = await threads.person('ann');
    const [one, two] = [await ann.write('One'), await ann.write('Two')];
    const reply = await ann.write('Three', { reply_to_id: one });
    expect(idsIn(await (await ann.get('/me/threads?fields=id,text')).json())).toEqual([two, one]);
    expect(idsIn(await (await ann.get(`/${ann.account.id}/replies`)).json())).toEqual([reply]);
    const first = await (await ann.get('/me/threads?limit=1')).json();
    const second = await (await ann.get(`/me/threads?limit=1&after=${first.paging.cursors.after}`)).json();
    expect([idsIn(first), idsIn(second)]).toEqual([[two], [one]]);
    expect(Object.keys(first.paging)).toEqual(['cursors']);
  });

  test('since and until bound the list', async () => {
    let now = Date.UTC(2026, 9, 1);
    const threads = await aThreads({ now: () => now });
    const ann = await threads.person('ann');
    const early = await ann.write('Early');
    now += 86_400_000;
    const late = await ann.write('Late');
    const between = async (query: string) => idsIn(await (await ann.get(`/me/threads?${query}`)).json());
    expect(await between('since=2026-10-01T12:00:00Z')).toEqual([late]);
    expect(await between(`until=${Date.UTC(2026, 9, 1, 12) / 1000}`)).toEqual([early]);
  });

  test('replies are the direct ones, the conversation all of them', async () => {
    let now = Date.now();
    const threads = await aThreads({ now: () => now++ });
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const root = await ann.write('Hello');
    const hers = await bo.write('Hi', { reply_to_id: root });
    const own = await ann.write('Hi yourself', { reply_to_id: hers });
    expect(idsIn(await (await ann.get(`/${root}/replies`)).json())).toEqual([hers]);
    expect(idsIn(await (await ann.get(`/${root}/conversation`)).json())).toEqual([own, hers]);
    expect(idsIn(await (await ann.get(`/${root}/conversation?reverse=false`)).json())).toEqual([hers, own]);
    const read = await (await ann.get(`/${hers}?fields=username,is_reply_owned_by_me`)).json();
    expect(read).toMatchObject({ username: 'bo', is_reply_owned_by_me: false });
    expect(await refusalOf(bo.get(`/${root}`))).toEqual([400, 100, 33]);
  });

  test('a reply under one’s own post can be hidden', async () => {
    const threads = await aThreads();
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const root = await ann.write('Hello');
    const reply = await bo.write('Spam', { reply_to_id: root });
    expect(await (await ann.send(`/${reply}/manage_reply`, { hide: true })).json()).toEqual({ success: true });
    expect((await (await ann.get(`/${reply}?fields=hide_status`)).json()).hide_status).toBe('HIDDEN');
    expect(await refusalOf(bo.send(`/${reply}/manage_reply`, { hide: false }))).toEqual([400, 100, 33]);
  });

  test('own posts are deleted, those of others are not; there is a quota', async () => {
    const threads = await aThreads({ rateLimits: 'vendor' });
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const id = await ann.write('Oops');
    expect(await refusalOf(bo.remove(`/${id}`))).toEqual([400, 100, 33]);
    expect(await (await ann.remove(`/${id}`)).json()).toEqual({ success: true, deleted_id: id });
    expect(await refusalOf(ann.get(`/${id}`))).toEqual([400, 100, 33]);
    const write = async () =>
      (await (await ann.create({ media_type: 'TEXT', text: 'x', auto_publish_text: true })).json()).id;
    for (let count = 2; count <= 100; count += 1) await ann.remove(`/${await write()}`);
    expect(await refusalOf(ann.remove(`/${await write()}`))).toEqual([400, 9, 2207042]);
  });

  test('reposts and quotes are counted, as are replies', async () => {
    const threads = await aThreads();
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const id = await ann.write('Hello');
    const { id: facade } = await (await bo.send(`/${id}/repost`, {})).json();
    const quote = await bo.write('This', { quote_post_id: id });
    await ann.write('Thanks', { reply_to_id: id });
    expect(await (await bo.get(`/${facade}?fields=media_type,reposted_post`)).json()).toEqual({
      id: facade,
      media_type: 'REPOST_FACADE',
      reposted_post: { id },
    });
    expect((await (await bo.get(`/${quote}?fields=is_quote_post`)).json()).is_quote_post).toBe(true);
    const { data } = await (await ann.get(`/${id}/insights?metric=views,likes,replies,reposts,quotes,shares`)).json();
    const amounts = data.map(({ name, values }: { name: string; values: { value: number }[] }) => [
      name,
      values[0]?.value,
    ]);
    expect(Object.fromEntries(amounts)).toEqual({ views: 0, likes: 0, replies: 1, reposts: 1, quotes: 1, shares: 0 });
    expect(await (await bo.get(`/${facade}/insights?metric=views`)).json()).toEqual({ data: [] });
    const totals = await (await ann.get('/me/threads_insights?metric=views,replies,clicks')).json();
    expect(totals.data).toMatchObject([
      { values: [{ value: 0 }] },
      { total_value: { value: 1 } },
      { link_total_values: [] },
    ]);
    expect(await refusalOf(ann.get(`/${id}/insights?metric=impressions`))).toEqual([400, 100, undefined]);
  });

  test('people see profiles and avatars; the API is at its own hosts', async () => {
    const threads = await aThreads();
    const { account, credentials } = await threads.person('ann');
    for (const website of ['www.threads.com', 'threads.net']) {
      expect((await threads.at(`/${website}/@ann`)).status).toBe(200);
    }
    expect((await threads.at(account.avatarUrl.replace('https:/', ''))).headers.get('content-type')).toBe(
      'image/svg+xml',
    );
    const query = `?access_token=${credentials.accessToken}`;
    for (const path of ['www.threads.com/v1.0/me', 'graph.threads.net/@ann', 'graph.threads.net/v2.0/me']) {
      expect(await refusalOf(threads.at(`/${path}${query}`))).toEqual([400, 2500, undefined]);
    }
  });
});
