import { describe, expect, test } from 'vitest';
import { aTikTok, codeOf } from './testing.ts';

const fields = 'id,title,create_time,share_url,like_count,comment_count,share_count,view_count';

describe('TikTok videos', () => {
  test('one’s own public videos are listed, newest first, page by page', async () => {
    let now = 1_790_000_000_000;
    const tiktok = await aTikTok({ now: () => now, processingMs: 0 });
    const ann = await tiktok.person('ann');
    for (const title of ['one', 'two', 'three']) {
      now += 1000;
      await ann.publish({ title });
    }
    await ann.publish({ title: 'mine', privacy_level: 'SELF_ONLY' });
    const list = async (body = {}) => (await (await ann.send(`/video/list/?fields=${fields}`, body)).json()).data;
    const first = await list({ max_count: 2 });
    expect(first).toMatchObject({ has_more: true, cursor: 1_790_000_002_000 });
    expect(first.videos).toMatchObject([{ title: 'three' }, { title: 'two', create_time: 1_790_000_002 }]);
    const [post] = await tiktok.posts();
    expect(await list({ max_count: 2, cursor: first.cursor })).toMatchObject({
      has_more: false,
      videos: [{ id: post.id, title: 'one', share_url: post.url, like_count: 0, view_count: 0 }],
    });
  });

  test('a video is listed once moderators have seen it', async () => {
    let now = Date.now();
    const tiktok = await aTikTok({ now: () => now, processingMs: 1000 });
    const ann = await tiktok.person('ann');
    await ann.publish();
    const count = async () => (await (await ann.send(`/video/list/?fields=${fields}`)).json()).data.videos.length;
    now += 1999;
    expect(await count()).toBe(0);
    now += 1;
    expect(await count()).toBe(1);
  });

  test('videos are asked for by id, and others’ are not told', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const [ann, bo] = [await tiktok.person('ann'), await tiktok.person('bo')];
    await ann.publish({ title: 'hers' });
    const [{ id }] = await tiktok.posts();
    const query = async (person: typeof ann) => {
      const answer = await person.send(`/video/query/?fields=${fields}`, { filters: { video_ids: [id] } });
      return (await answer.json()).data.videos;
    };
    expect(await query(ann)).toMatchObject([{ id, title: 'hers' }]);
    expect(await query(bo)).toEqual([]);
  });

  test.each([
    ['/video/list/', {}],
    ['/video/list/?fields=id,colour', {}],
    ['/video/list/?fields=id', { max_count: 21 }],
    ['/video/query/?fields=id', {}],
    ['/video/query/?fields=id', { filters: { video_ids: Array.from({ length: 21 }, () => '1') } }],
  ])('%s with %j is refused', async (path, body) => {
    const ann = await (await aTikTok()).person('ann');
    expect(await codeOf(await ann.send(path, body))).toEqual([400, 'invalid_params']);
  });

  test('people see posts and profiles at their real addresses', async () => {
    const tiktok = await aTikTok();
    const ann = await tiktok.person('ann');
    await ann.publish({ title: 'Look <here>' });
    const [post] = await tiktok.posts();
    for (const address of [post.url, ann.account.profileUrl]) {
      const page = await tiktok.at(address.replace('https:/', ''));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Look &lt;here&gt;')]);
    }
    expect((await tiktok.at(ann.account.avatarUrl.replace('https:/', ''))).status).toBe(200);
    expect((await tiktok.at('/www.tiktok.com/@ann/video/1')).status).toBe(404);
  });
});
