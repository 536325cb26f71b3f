import { describe, expect, test } from 'vitest';
import { errorOf, startThreads } from './testing.ts';

const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('reading Threads', () => {
  test('a post has the requested fields', async () => {
    const now = Date.UTC(2026, 9, 1, 8);
    const threads = await startThreads({ now: () => now });
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
    expect(await errorOf(ann.get(`/${id}?fields=caption`))).toEqual([400, 100, undefined]);
  });

  test('own posts and own replies are listed separately, newest first', async () => {
    const threads = await startThreads();
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

  test('since and until limit the list', async () => {
    let now = Date.UTC(2026, 9, 1);
    const threads = await startThreads({ now: () => now });
    const ann = await threads.person('ann');
    const early = await ann.write('Early');
    now += 86_400_000;
    const late = await ann.write('Late');
    const between = async (query: string) => idsIn(await (await ann.get(`/me/threads?${query}`)).json());
    expect(await between('since=2026-10-01T12:00:00Z')).toEqual([late]);
    expect(await between(`until=${Date.UTC(2026, 9, 1, 12) / 1000}`)).toEqual([early]);
  });

  test('replies lists direct replies, conversation lists all', async () => {
    let now = Date.now();
    const threads = await startThreads({ now: () => now++ });
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const root = await ann.write('Hello');
    const hers = await bo.write('Hi', { reply_to_id: root });
    const own = await ann.write('Hi yourself', { reply_to_id: hers });
    expect(idsIn(await (await ann.get(`/${root}/replies`)).json())).toEqual([hers]);
    expect(idsIn(await (await ann.get(`/${root}/conversation`)).json())).toEqual([own, hers]);
    expect(idsIn(await (await ann.get(`/${root}/conversation?reverse=false`)).json())).toEqual([hers, own]);
    const read = await (await ann.get(`/${hers}?fields=username,is_reply_owned_by_me`)).json();
    expect(read).toMatchObject({ username: 'bo', is_reply_owned_by_me: false });
    expect(await errorOf(bo.get(`/${root}`))).toEqual([400, 100, 33]);
  });

  test('deleting needs a separate permission', async () => {
    const threads = await startThreads();
    const ann = await threads.allowing('ann', 'threads_basic', 'threads_content_publish');
    const id = await ann.write('Stays');
    expect(await errorOf(ann.remove(`/${id}`))).toEqual([403, 10, undefined]);
    expect(await threads.posts()).toHaveLength(1);
  });

  test('an account deletes only its own posts, within a quota', async () => {
    const threads = await startThreads({ rateLimits: 'vendor' });
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const id = await ann.write('Oops');
    expect(await errorOf(bo.remove(`/${id}`))).toEqual([400, 100, 33]);
    expect(await (await ann.remove(`/${id}`)).json()).toEqual({ success: true, deleted_id: id });
    expect(await errorOf(ann.get(`/${id}`))).toEqual([400, 100, 33]);
    expect(await errorOf(ann.remove(`/${id}`))).toEqual([400, 100, 33]);
    const write = async () =>
      (await (await ann.create({ media_type: 'TEXT', text: 'x', auto_publish_text: true })).json()).id;
    for (let count = 2; count <= 100; count += 1) await ann.remove(`/${await write()}`);
    expect(await errorOf(ann.remove(`/${await write()}`))).toEqual([400, 9, 2207042]);
  });

  test('a quote says that it is one', async () => {
    const threads = await startThreads();
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const id = await ann.write('Hello');
    const quote = await bo.write('This', { quote_post_id: id });
    const read = await (await bo.get(`/${quote}?fields=is_quote_post,quoted_post`)).json();
    expect(read).toMatchObject({ is_quote_post: true, quoted_post: { id } });
  });

  test('profiles and avatars have pages; the API has its own hosts', async () => {
    const threads = await startThreads();
    const { account, credentials } = await threads.person('ann');
    for (const website of ['www.threads.com', 'threads.net']) {
      expect((await threads.at(`/${website}/@ann`)).status).toBe(200);
    }
    expect((await threads.at(account.avatarUrl.replace('https:/', ''))).headers.get('content-type')).toBe('image/png');
    const query = `?access_token=${credentials.accessToken}`;
    for (const path of ['www.threads.com/v1.0/me', 'graph.threads.net/@ann', 'graph.threads.net/v2.0/me']) {
      expect(await errorOf(threads.at(`/${path}${query}`))).toEqual([400, 2500, undefined]);
    }
  });
});
