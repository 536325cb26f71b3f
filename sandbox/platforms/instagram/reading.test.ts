import { describe, expect, test } from 'vitest';
import { makeJpeg } from '../../test-media.ts';
import { errorOf, startInstagram } from './testing.ts';

describe('reading Instagram', () => {
  test('media have the requested fields', async () => {
    const now = Date.UTC(2026, 9, 1, 8);
    const instagram = await startInstagram({ now: () => now });
    const ann = await instagram.person('ann');
    const id = await ann.photo('Hello');
    expect(await (await ann.get(`/${id}`)).json()).toEqual({ id });
    const fields =
      'caption,media_type,media_product_type,permalink,shortcode,timestamp,username,like_count,comments_count';
    const media = await (await ann.get(`/${id}?fields=${fields}`)).json();
    expect(media).toEqual({
      id,
      caption: 'Hello',
      media_type: 'IMAGE',
      media_product_type: 'FEED',
      permalink: `https://www.instagram.com/p/${media.shortcode}/`,
      shortcode: expect.stringMatching(/^[\w-]{11}$/),
      timestamp: '2026-10-01T08:00:00+0000',
      username: 'ann',
      like_count: 0,
      comments_count: 0,
    });
    const page = await instagram.at(media.permalink.replace('https:/', ''));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Hello')]);
  });

  test('a field that does not exist fails the call', async () => {
    const ann = await (await startInstagram()).person('ann');
    const id = await ann.photo('Hello');
    for (const path of [`/${id}?fields=id,nonsense`, '/me?fields=nonsense', `/${id}?fields=a b`]) {
      expect(await errorOf(ann.get(path))).toEqual([400, 100, undefined]);
    }
  });

  test('own media are listed newest first, in pages', async () => {
    const instagram = await startInstagram();
    const [ann, bo] = [await instagram.person('ann'), await instagram.person('bo')];
    const ids = [await ann.photo('1'), await ann.photo('2'), await ann.photo('3')].reverse();
    await bo.photo('not hers');
    await ann.send(`/${ids[0]}/comments`, { message: 'not media' });
    const first = await (await ann.get(`/${ann.account.id}/media?fields=id,caption&limit=2`)).json();
    expect(first.data).toEqual([
      { id: ids[0], caption: '3' },
      { id: ids[1], caption: '2' },
    ]);
    const second = await (await instagram.at(first.paging.next.replace('https:/', ''), auth(ann))).json();
    expect(second.data).toEqual([{ id: ids[2], caption: '1' }]);
    expect(second.paging.next).toBeUndefined();
    const after = `after=${second.paging.cursors.after}`;
    expect(await (await ann.get(`/me/media?${after}`)).json()).toEqual({ data: [] });
  });

  test('comments stand under the post, replies under the comment', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const post = await ann.photo('Hello');
    const comment = await (await ann.send(`/${post}/comments`, { message: 'First & <last>' })).json();
    const reply = await (await ann.send(`/${comment.id}/replies`, { message: 'Second' })).json();
    expect(await instagram.posts()).toMatchObject([
      { id: post, inReplyTo: null },
      { id: comment.id, text: 'First & <last>', inReplyTo: post },
      { id: reply.id, text: 'Second', inReplyTo: comment.id },
    ]);
    expect(await (await ann.get(`/${post}/comments?fields=id,text,username,replies{text}`)).json()).toMatchObject({
      data: [
        {
          id: comment.id,
          text: 'First & <last>',
          username: 'ann',
          replies: { data: [{ id: reply.id, text: 'Second' }] },
        },
      ],
    });
    expect(await (await ann.get(`/${reply.id}?fields=parent_id,media`)).json()).toEqual({
      id: reply.id,
      parent_id: comment.id,
      media: { id: post },
    });
    expect((await (await ann.get(`/${post}?fields=comments_count`)).json()).comments_count).toBe(1);
    const page = await instagram.at((await instagram.posts())[1].url.replace('https:/', ''));
    expect(await page.text()).toContain('First &amp; &lt;last&gt;');
  });

  test('comments on stories, unknown posts, other accounts’ posts and without text are refused', async () => {
    const instagram = await startInstagram();
    const [ann, bo] = [await instagram.person('ann'), await instagram.person('bo')];
    const story = await ann.published({ media_type: 'STORIES', image_url: instagram.host(makeJpeg(1080, 1920)) });
    const post = await bo.photo('Hello');
    const comment = (id: string, message = 'Hi') => errorOf(ann.send(`/${id}/comments`, { message }));
    expect(await comment(story)).toEqual([400, 100, undefined]);
    expect(await comment('404404')).toEqual([400, 100, 33]);
    expect(await comment(post)).toEqual([400, 100, 33]);
    expect(await comment(await ann.photo('Hi'), ' ')).toEqual([400, 100, undefined]);
  });

  test('profiles and avatars have pages; an unknown version and a wrong host are errors', async () => {
    const instagram = await startInstagram();
    const { account, credentials } = await instagram.person('ann');
    expect((await instagram.at(account.profileUrl.replace('https:/', ''))).status).toBe(200);
    const avatar = await instagram.at(account.avatarUrl.replace('https:/', ''));
    expect(avatar.headers.get('content-type')).toBe('image/png');
    const query = `?access_token=${credentials.accessToken}`;
    for (const path of ['graph.instagram.com/v99.0/me', 'www.instagram.com/v25.0/me', 'graph.instagram.com/ann/']) {
      expect(await errorOf(instagram.at(`/${path}${query}`))).toEqual([400, 2500, undefined]);
    }
  });
});

function auth({ credentials }: { credentials: { accessToken: string } }): RequestInit {
  return { headers: { authorization: `Bearer ${credentials.accessToken}` } };
}
