import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../../test-media.ts';
import { startX } from '../testing.ts';

describe('X accounts', () => {
  test('return the requested fields and no others', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('Ann', true), await x.person('bo')];
    const me = async (who: typeof ann, query = '') => (await (await who.get(`/users/me${query}`)).json()).data;
    expect(await me(ann)).toEqual({ id: ann.account.id, name: 'ann', username: 'ann' });
    const asked = '?user.fields=profile_image_url,verified,verified_type,subscription_type,public_metrics';
    expect(await me(ann, asked)).toEqual({
      id: ann.account.id,
      name: 'ann',
      username: 'ann',
      profile_image_url: `https://pbs.twimg.com/profile_images/${ann.account.id}/avatar_normal.jpg`,
      verified: true,
      verified_type: 'blue',
      subscription_type: 'Premium',
      public_metrics: expect.objectContaining({ followers_count: 0, tweet_count: 0, media_count: 0 }),
    });
    expect(await me(bo, asked)).toMatchObject({ subscription_type: 'None', verified: false, verified_type: 'none' });
  });

  test('an unknown field is dropped without an error', async () => {
    const ann = await (await startX()).person('ann');
    const response = await ann.get('/users/me?user.fields=verified,shoe_size');
    expect([response.status, await response.json()]).toEqual([
      200,
      { data: { id: ann.account.id, name: 'ann', username: 'ann', verified: false } },
    ]);
  });

  test('an unknown parameter is refused, as a problem', async () => {
    const ann = await (await startX()).person('ann');
    const response = await ann.get('/users/me?shoe.fields=size');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ]);
    expect((await response.json()).errors[0].message).toMatch(/^The query parameter \[shoe.fields\] is not one of/);
  });

  test('a call without a valid token is 401', async () => {
    const x = await startX();
    expect((await x.as('made-up').get('/users/me')).status).toBe(401);
    expect((await x.at('/api.x.com/2/users/me')).status).toBe(401);
    const { credentials } = await x.person('ann');
    expect((await x.as(credentials.refreshToken).get('/users/me')).status).toBe(401);
  });

  test('the API also has its older host name, and the website has no API', async () => {
    const x = await startX();
    const { credentials } = await x.person('ann');
    const headers = { authorization: `Bearer ${credentials.accessToken}` };
    const statuses = ['api.twitter.com', 'x.com'].map(
      async (host) => (await x.at(`/${host}/2/users/me`, { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });
});

describe('X posts', () => {
  test('have the requested fields', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const { data: media } = await (await ann.upload(tinyPng)).json();
    await ann.send('POST', '/media/metadata', { id: media.id, metadata: { alt_text: { text: 'a dot' } } });
    const id = await ann.post({ text: 'Hi @bo #tag $ABC example.com', media: { media_ids: [media.id] } });
    const reply = await ann.post({ text: 'two', reply: { in_reply_to_tweet_id: id } });
    const query =
      'tweet.fields=author_id,created_at,entities,attachments,conversation_id,public_metrics,reply_settings' +
      '&expansions=attachments.media_keys,author_id&media.fields=url,alt_text,type,width&user.fields=verified';
    const { data, includes } = await (await ann.get(`/tweets/${id}?${query}`)).json();
    expect(data).toMatchObject({
      id,
      author_id: ann.account.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      conversation_id: id,
      reply_settings: 'everyone',
      attachments: { media_keys: [media.media_key] },
      public_metrics: { reply_count: 1, retweet_count: 0, like_count: 0, quote_count: 0 },
    });
    const [link, image] = data.entities.urls;
    expect(data.text).toBe(`Hi @bo #tag $ABC ${link.url} ${image.url}`);
    expect(data.text.slice(link.start, link.end)).toBe(link.url);
    expect(link).toMatchObject({ expanded_url: 'http://example.com', display_url: 'example.com' });
    expect(image).toMatchObject({
      expanded_url: `https://x.com/ann/status/${id}/photo/1`,
      media_key: media.media_key,
    });
    expect(data.entities).toMatchObject({
      mentions: [{ start: 3, end: 6, username: 'bo' }],
      hashtags: [{ start: 7, end: 11, tag: 'tag' }],
      cashtags: [{ tag: 'ABC' }],
    });
    expect(includes).toMatchObject({
      media: [{ media_key: media.media_key, type: 'photo', alt_text: 'a dot', width: 1 }],
      users: [{ id: ann.account.id, verified: false }],
    });
    const picked = await x.at(includes.media[0].url.replace('https:/', ''));
    expect(Buffer.from(await picked.arrayBuffer()).equals(tinyPng)).toBe(true);

    const answered = await ann.get(
      `/tweets/${reply}?tweet.fields=referenced_tweets,in_reply_to_user_id,conversation_id`,
    );
    expect((await answered.json()).data).toMatchObject({
      conversation_id: id,
      in_reply_to_user_id: ann.account.id,
      referenced_tweets: [{ type: 'replied_to', id }],
    });
  });

  test('are answered in the vocabulary of the request, which knows no value of the other', async () => {
    const ann = await (await startX()).person('ann', true);
    const long = 'word '.repeat(70);
    const head = await ann.post({ text: long });
    const id = await ann.post({ text: `More ${long}`, reply: { in_reply_to_tweet_id: head } });
    const read = async (query: string) => (await (await ann.get(`/tweets/${id}?${query}`)).json()).data;
    const every = 'note_post,note_tweet,referenced_posts,referenced_tweets,author_id,public_metrics';
    const references = [{ type: 'replied_to', id: head }];

    const post = await read(`post.fields=${every}&expansions=referenced_posts,referenced_tweets.id`);
    expect(Object.keys(post).toSorted()).toEqual([
      'edit_history_post_ids',
      'id',
      'note_post',
      'public_metrics',
      'referenced_posts',
      'text',
    ]);
    expect(post).toMatchObject({ referenced_posts: references, public_metrics: { repost_count: 0 } });
    expect(await read('post.fields=referenced_posts')).not.toHaveProperty('referenced_posts');

    const tweet = await read(`tweet.fields=${every}`);
    expect(Object.keys(tweet).toSorted()).toEqual([
      'author_id',
      'edit_history_tweet_ids',
      'id',
      'note_tweet',
      'public_metrics',
      'referenced_tweets',
      'text',
    ]);
    expect(tweet).toMatchObject({ referenced_tweets: references, public_metrics: { retweet_count: 0 } });
  });

  test('have one vocabulary only after a switch, and never both in one request', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const id = await ann.post({ text: 'one' });
    const status = async (query: string) => (await ann.get(`/tweets/${id}?${query}`)).status;
    expect(await status('post.fields=lang&tweet.fields=lang')).toBe(400);
    await x.turn('tweetFieldsOnly', true);
    expect([await status('post.fields=lang'), await status('tweet.fields=lang')]).toEqual([400, 200]);
    await x.turn('tweetFieldsOnly', false);
    await x.turn('postFieldsOnly', true);
    expect([await status('post.fields=lang'), await status('tweet.fields=lang')]).toEqual([200, 400]);
  });

  test('deleted posts are listed in errors, with status 200', async () => {
    const ann = await (await startX()).person('ann');
    const id = await ann.post({ text: 'one' });
    const both = await ann.get(`/tweets?ids=${id},7`);
    expect(both.status).toBe(200);
    expect(await both.json()).toMatchObject({
      data: [{ id }],
      errors: [{ resource_id: '7', type: 'https://api.x.com/2/problems/resource-not-found' }],
    });
    const gone = await ann.get('/tweets/7');
    expect([gone.status, Object.keys(await gone.json())]).toEqual([200, ['errors']]);
  });

  test('private metrics are for the author and for 30 days', async () => {
    let now = Date.now();
    const x = await startX({ now: () => now });
    const id = await (await x.person('ann')).post({ text: 'one' });
    const read = async (handle: string) => {
      const response = await (await x.person(handle)).get(`/tweets?ids=${id}&tweet.fields=non_public_metrics`);
      return response.json();
    };
    expect((await read('ann')).data[0].non_public_metrics).toMatchObject({ impression_count: 0 });
    expect((await read('bo')).errors[0]).toMatchObject({ field: 'non_public_metrics', resource_id: id });
    now += 31 * 24 * 3_600_000;
    const late = await read('ann');
    expect(late.data[0]).not.toHaveProperty('non_public_metrics');
    expect(late.errors).toHaveLength(1);
  });

  test('metrics over time are for the author', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const id = await ann.post({ text: 'one' });
    await bo.send('POST', `/users/${bo.account.id}/retweets`, { tweet_id: id });
    const day = 24 * 3_600_000;
    const [start, end] = [Date.now() - day, Date.now() + day].map((time) => new Date(time).toISOString());
    const query = `ids=${id}&start_time=${start}&end_time=${end}&granularity=daily&analytics.fields=retweets,likes,impressions`;
    const { data } = await (await ann.get(`/tweets/analytics?${query}`)).json();
    expect(data).toEqual([
      {
        id,
        timestamped_metrics: [
          { timestamp: expect.stringMatching(/T00:00:00Z$/), metrics: { retweets: 1, likes: 0, impressions: 0 } },
        ],
      },
    ]);
    expect((await (await bo.get(`/tweets/analytics?${query}`)).json()).errors).toHaveLength(1);
    expect((await ann.get(`/tweets/analytics?ids=${id}`)).status).toBe(400);
  });
});

describe('an X timeline', () => {
  test('is paged newest first', async () => {
    const { ann, ids, page } = await createTimeline(12);
    const first = await page('max_results=5');
    expect(first.positions).toEqual([0, 1, 2, 3, 4]);
    expect(first.meta).toMatchObject({ result_count: 5, newest_id: ids[0], oldest_id: ids[4] });
    const second = await page(`max_results=5&pagination_token=${first.meta.next_token}`);
    expect(second.positions).toEqual([5, 6, 7, 8, 9]);
    const last = await page(`max_results=5&pagination_token=${second.meta.next_token}`);
    expect(last.positions).toEqual([10, 11]);
    expect(last.meta).not.toHaveProperty('next_token');
    expect((await page('')).positions).toHaveLength(10);
    expect((await ann.get(`/users/${ann.account.id}/tweets?pagination_token=x`)).status).toBe(400);
  });

  test('starts and ends at the given ids', async () => {
    const { ids, page } = await createTimeline(6);
    expect((await page(`since_id=${ids[2]}`)).positions).toEqual([0, 1]);
    expect((await page(`until_id=${ids[2]}`)).positions).toEqual([3, 4, 5]);
  });

  test('compares times in whole seconds', async () => {
    let now = Date.parse('2026-11-01T12:00:00.900Z');
    const { page, ann } = await createTimeline(1, () => now);
    now = Date.parse('2026-11-01T12:00:02.100Z');
    await ann.post({ text: 'later' });
    expect((await page('start_time=2026-11-01T12:00:00.950Z')).meta.result_count).toBe(2);
    expect((await page('start_time=2026-11-01T12:00:01Z')).meta.result_count).toBe(1);
    expect((await page('end_time=2026-11-01T12:00:02Z')).meta.result_count).toBe(1);
    expect((await page('start_time=2026-11-01T12:00:03Z')).meta).toEqual({ result_count: 0 });
  });

  test('leaves out replies on request', async () => {
    const { ann, ids, page } = await createTimeline(1);
    await ann.post({ text: 'reply', reply: { in_reply_to_tweet_id: ids[0] ?? '' } });
    expect((await page('')).meta.result_count).toBe(2);
    expect((await page('exclude=replies,retweets')).positions).toEqual([0]);
  });

  test.each(['max_results=4', 'max_results=101', 'since_id=x', 'start_time=yesterday', 'exclude=likes', 'limit=5'])(
    'refuses %s',
    async (query) => {
      const { ann } = await createTimeline(0);
      expect((await ann.get(`/users/${ann.account.id}/tweets?${query}`)).status).toBe(400);
    },
  );

  async function createTimeline(count: number, now: () => number = Date.now) {
    const ann = await (await startX({ now })).person('ann');
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) ids.unshift(await ann.post({ text: `post ${number}` }));
    return {
      ann,
      ids,
      async page(query: string) {
        const response = await (await ann.get(`/users/${ann.account.id}/tweets?${query}`)).json();
        const positions = (response.data ?? []).map(({ id }: { id: string }) => ids.indexOf(id));
        return { positions, meta: response.meta };
      },
    };
  }
});

describe('pages of X', () => {
  test('show a post at its addresses, its author and the author’s avatar', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const id = await ann.post({ text: 'Here <b>I</b> am' });
    for (const path of [
      `/x.com/ann/status/${id}`,
      `/twitter.com/ann/status/${id}`,
      `/x.com/i/web/status/${id}`,
      '/x.com/Ann',
    ]) {
      const page = await x.at(path);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Here &lt;b&gt;I&lt;/b&gt; am')]);
    }
    for (const size of ['normal', '400x400']) {
      const image = await x.at(`/pbs.twimg.com/profile_images/${ann.account.id}/avatar_${size}.jpg`);
      expect(image.headers.get('content-type')).toBe('image/png');
    }
    expect((await x.at('/x.com/nobody')).status).toBe(404);
    expect((await x.at('/x.com/ann/status/1')).status).toBe(404);
    expect((await x.at('/api.x.com/ann')).status).toBe(404);
    expect((await x.at('/x.com/')).headers.get('location')).toBe('/feed/twitter');
  });
});
