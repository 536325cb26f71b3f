import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeJpeg, makeMp4, tinyPng } from '../../test-media.ts';
import { errorOf, startInstagram } from './testing.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const dayMs = 86_400_000;

describe('Instagram publishing', () => {
  test('an image container is ready immediately and becomes a post with another id', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const image = makeJpeg();
    const id = await ann.created({ image_url: instagram.host(image), caption: 'Grüße <b> #a', alt_text: 'a dot' });
    expect(await ann.status(id)).toEqual({
      id,
      status_code: 'FINISHED',
      status: expect.stringMatching(/^Finished: /),
    });
    expect(await instagram.posts()).toEqual([]);
    const post = await (await ann.publish(id)).json();
    expect(post.id).not.toBe(id);
    expect(await instagram.posts()).toMatchObject([
      {
        id: post.id,
        account: 'ann',
        text: 'Grüße <b> #a',
        media: [{ kind: 'image', bytes: image.length, sha256: sha256(image) }],
        inReplyTo: null,
        request: { body: { creation_id: id, container: { alt_text: 'a dot' } } },
      },
    ]);
    expect(await ann.status(id)).toMatchObject({ status_code: 'PUBLISHED' });
  });

  test('a published container cannot be published again', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const id = await ann.created({ image_url: instagram.host(makeJpeg()) });
    await ann.publish(id);
    expect(await errorOf(ann.publish(id))).toEqual([400, 24, 2207008]);
    expect(await instagram.posts()).toHaveLength(1);
  });

  test('a reel is processed first, is refused when published too early, and shows its cover as thumbnail', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const ann = await instagram.person('ann');
    const [video, cover] = [makeMp4(10), makeJpeg(1080, 1920)];
    const id = await ann.created({
      media_type: 'REELS',
      video_url: instagram.host(video),
      cover_url: instagram.host(cover),
      share_to_feed: true,
      caption: 'New',
    });
    expect((await ann.status(id)).status_code).toBe('IN_PROGRESS');
    expect(await errorOf(ann.publish(id))).toEqual([400, 9007, 2207027]);
    now += 301;
    expect((await ann.status(id)).status_code).toBe('FINISHED');
    const post = await (await ann.publish(id)).json();
    const fields = 'permalink,shortcode,media_type,media_product_type,thumbnail_url,media_url';
    const media = await (await ann.get(`/${post.id}?fields=${fields}`)).json();
    expect(media).toMatchObject({ media_type: 'VIDEO', media_product_type: 'REELS' });
    expect(media.permalink).toBe(`https://www.instagram.com/reel/${media.shortcode}/`);
    const bytes = async (address: string) =>
      Buffer.from(await (await instagram.at(address.replace('https:/', ''))).arrayBuffer());
    expect(await bytes(media.thumbnail_url)).toEqual(cover);
    expect(await bytes(media.media_url)).toEqual(video);
    expect((await instagram.posts())[0]).toMatchObject({
      media: [{ kind: 'video', sha256: sha256(video) }],
      request: { body: { container: { share_to_feed: true } } },
    });
  });

  test('a carousel shows its items in order', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const ann = await instagram.person('ann');
    const [image, video] = [makeJpeg(), makeMp4(5)];
    const first = await ann.created({ image_url: instagram.host(image), is_carousel_item: true });
    const item = { media_type: 'VIDEO', video_url: instagram.host(video), is_carousel_item: true };
    const second = await ann.created(item);
    const album = { media_type: 'CAROUSEL', children: [first, second], caption: 'Two' };
    expect(await errorOf(ann.create(album))).toEqual([400, 9007, 2207027]);
    now += 301;
    const post = await ann.published({ ...album, children: `${first},${second}` });
    expect(await instagram.posts()).toMatchObject([
      { text: 'Two', media: [{ sha256: sha256(image) }, { sha256: sha256(video) }] },
    ]);
    const media = await (await ann.get(`/${post}?fields=media_type,children{media_type,media_url}`)).json();
    expect(media.media_type).toBe('CAROUSEL_ALBUM');
    expect(media.children.data).toMatchObject([{ media_type: 'IMAGE' }, { media_type: 'VIDEO' }]);
    const [{ id }] = media.children.data;
    expect(await (await ann.get(`/${id}?fields=media_type`)).json()).toEqual({ id, media_type: 'IMAGE' });
  });

  test.each([1, 11])('a carousel of %i is refused', async (count) => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const item = await ann.created({ image_url: instagram.host(makeJpeg()), is_carousel_item: true });
    const children = Array<string>(count).fill(item);
    expect(await errorOf(ann.create({ media_type: 'CAROUSEL', children }))).toEqual([400, 100, 2207028]);
  });

  test('only items can be in a carousel, and an item cannot be published alone', async () => {
    const instagram = await startInstagram();
    const [ann, bo] = [await instagram.person('ann'), await instagram.person('bo')];
    const image = { image_url: instagram.host(makeJpeg()) };
    const [post, own] = [await ann.created(image), await ann.created({ ...image, is_carousel_item: true })];
    const others = await bo.created({ ...image, is_carousel_item: true });
    for (const child of [post, others]) {
      const response = ann.create({ media_type: 'CAROUSEL', children: [own, child] });
      expect(await errorOf(response)).toEqual([400, 100, undefined]);
    }
    expect(await errorOf(ann.publish(own))).toEqual([400, 100, undefined]);
  });

  test('a story has no caption and is listed for a day', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const ann = await instagram.person('ann');
    const image_url = instagram.host(makeJpeg(1080, 1920));
    const id = await ann.published({ media_type: 'STORIES', image_url, caption: 'lost' });
    const video = await ann.created({ media_type: 'STORIES', video_url: instagram.host(makeMp4(15)) });
    expect(await instagram.posts()).toMatchObject([
      { text: '', url: `https://www.instagram.com/stories/ann/${id}`, media: [{ kind: 'image' }] },
    ]);
    const idsIn = async (list: string) =>
      (await (await ann.get(`/me/${list}`)).json()).data.map((one: { id: string }) => one.id);
    expect([await idsIn('media'), await idsIn('stories')]).toEqual([[], [id]]);
    now += 1000;
    expect((await ann.publish(video)).status).toBe(200);
    now += dayMs;
    expect(await idsIn('stories')).toEqual([]);
    expect(await errorOf(ann.get(`/${id}`))).toEqual([400, 100, 33]);
  });

  test('a container expires after a day', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now });
    const ann = await instagram.person('ann');
    const id = await ann.created({ image_url: instagram.host(makeJpeg()) });
    now += dayMs;
    expect((await ann.status(id)).status_code).toBe('EXPIRED');
    expect(await errorOf(ann.publish(id))).toEqual([400, -2, 2207020]);
  });

  test('another account’s container is not found', async () => {
    const instagram = await startInstagram();
    const [ann, bo] = [await instagram.person('ann'), await instagram.person('bo')];
    const id = await ann.created({ image_url: instagram.host(makeJpeg()) });
    expect(await errorOf(bo.publish(id))).toEqual([400, 24, 2207006]);
    expect(await errorOf(bo.get(`/${id}?fields=status_code`))).toEqual([400, 100, 33]);
    expect(await errorOf(ann.publish('17900000000000010'))).toEqual([400, 24, 2207006]);
  });

  test.each([
    ['a PNG', tinyPng, [400, 36001, 2207005]],
    ['a text', Buffer.from('plain text'), [400, 9004, 2207052]],
    ['over 8 MB', makeJpeg(1080, 1080, 8 * 1024 * 1024), [400, 36000, 2207004]],
    ['too tall', makeJpeg(700, 1000), [400, 36003, 2207009]],
    ['too wide', makeJpeg(2000, 1000), [400, 36003, 2207009]],
    ['just tall enough', makeJpeg(1080, 1350), [200, undefined, undefined]],
    ['just wide enough', makeJpeg(1910, 1000), [200, undefined, undefined]],
  ])('an image that is %s', async (_, bytes, outcome) => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    expect(await errorOf(ann.create({ image_url: instagram.host(bytes) }))).toEqual(outcome);
  });

  test.each([
    ['REELS', makeMp4(2)],
    ['REELS', makeMp4(901)],
    ['STORIES', makeMp4(61)],
    ['REELS', makeJpeg()],
  ])('%s outside the specification ends in an error', async (media_type, bytes) => {
    const instagram = await startInstagram({ processingMs: 0 });
    const ann = await instagram.person('ann');
    const id = await ann.created({ media_type, video_url: instagram.host(bytes) });
    expect(await ann.status(id)).toEqual({
      id,
      status_code: 'ERROR',
      status: 'Error: Media upload has failed with error code 2207026',
    });
    expect(await errorOf(ann.publish(id))).toEqual([400, -1, 2207032]);
  });

  test('an unreachable address is refused immediately', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const nowhere = `${instagram.host(makeJpeg())}404`;
    const bodies: Record<string, string>[] = [
      { image_url: nowhere },
      { media_type: 'REELS', video_url: nowhere },
      { image_url: 'file:///etc/passwd' },
    ];
    for (const body of bodies) expect(await errorOf(ann.create(body))).toEqual([400, 9004, 2207052]);
    const reel = { media_type: 'REELS', video_url: instagram.host(makeMp4(5)) };
    expect(await errorOf(ann.create({ ...reel, cover_url: nowhere }))).toEqual([400, 9004, 2207052]);
    expect(await errorOf(ann.create({ ...reel, cover_url: instagram.host(tinyPng) }))).toEqual([400, 36001, 2207005]);
  });

  test.each([
    ['2201 characters', 'a'.repeat(2201)],
    ['31 hashtags', '#tag '.repeat(31)],
    ['21 mentions', '@ann '.repeat(21)],
  ])('a caption of %s is too long', async (_, caption) => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const image_url = instagram.host(makeJpeg());
    expect(await errorOf(ann.create({ image_url, caption }))).toEqual([400, 36004, 2207010]);
    expect((await ann.create({ image_url, caption: caption.slice(0, -5) })).status).toBe(200);
  });

  test.each([
    [{}, [400, 100, undefined]],
    [{ media_type: 'POLL' }, [400, 100, 2207023]],
    [{ media_type: 'VIDEO', video_url: 'https://x.test/a.mp4' }, [400, 100, 2207067]],
    [{ media_type: 'REELS', upload_type: 'resumable' }, [400, 100, undefined]],
    [{ image_url: 'https://x.test/a.jpg', user_tags: Array(21).fill({ username: 'x' }) }, [400, 100, 2207040]],
    [{ image_url: 'https://x.test/a.jpg', collaborators: ['a', 'b', 'c', 'd'] }, [400, 100, undefined]],
    [{ image_url: 'https://x.test/a.jpg', alt_text: 'a'.repeat(1001) }, [400, 100, undefined]],
  ])('a container of %j is refused', async (fields, outcome) => {
    const ann = await (await startInstagram()).person('ann');
    expect(await errorOf(ann.create(fields))).toEqual(outcome);
  });

  test('the thumbnail offset must be within the video', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const reel = { media_type: 'REELS', video_url: instagram.host(makeMp4(5)) };
    expect(await errorOf(ann.create({ ...reel, thumb_offset: 5000 }))).toEqual([400, 1, 2207057]);
    expect((await ann.create({ ...reel, thumb_offset: 4999 })).status).toBe(200);
  });

  test('parameters may be in the query or in a form', async () => {
    const instagram = await startInstagram();
    const { credentials } = await instagram.person('ann');
    const query = new URLSearchParams({ image_url: instagram.host(makeJpeg()), access_token: credentials.accessToken });
    const path = `/graph.instagram.com/v25.0/${credentials.userId}/media`;
    const { id } = await (await instagram.at(`${path}?${query}`, { method: 'POST' })).json();
    const body = new URLSearchParams({ creation_id: id, access_token: credentials.accessToken });
    expect((await instagram.at(`${path}_publish`, { method: 'POST', body })).status).toBe(200);
    expect(JSON.stringify(await instagram.posts())).not.toContain(credentials.accessToken);
  });

  test('the quota is counted, and enforced with the vendor’s limits', async () => {
    let now = Date.now();
    const instagram = await startInstagram({ now: () => now, rateLimits: 'vendor' });
    const ann = await instagram.person('ann');
    for (let count = 1; count <= 100; count += 1) await ann.photo('again');
    const usage = async () => (await ann.get('/me/content_publishing_limit?fields=quota_usage,config')).json();
    expect(await usage()).toEqual({
      data: [{ quota_usage: 100, config: { quota_total: 100, quota_duration: 86_400 } }],
    });
    const id = await ann.created({ image_url: instagram.host(makeJpeg()) });
    expect(await errorOf(ann.publish(id))).toEqual([400, 9, 2207042]);
    now += dayMs - 1;
    expect((await usage()).data[0].quota_usage).toBe(100);
    now += 1;
    expect((await usage()).data[0].quota_usage).toBe(0);
  });

  test('an account may create 400 containers a day', async () => {
    const instagram = await startInstagram({ rateLimits: 'vendor' });
    const ann = await instagram.person('ann');
    const item = await ann.created({ image_url: instagram.host(makeJpeg()), is_carousel_item: true });
    const album = { media_type: 'CAROUSEL', children: [item, item] };
    for (let count = 2; count <= 400; count += 1) await ann.created(album);
    expect(await errorOf(ann.create(album))).toEqual([400, 9, 2207042]);
  });

  test('a restricted account can read but not publish', async () => {
    const instagram = await startInstagram();
    const ann = await instagram.person('ann');
    const id = await ann.created({ image_url: instagram.host(makeJpeg()) });
    await instagram.sendJson('PATCH', '/_control/accounts', { network: 'instagram', handle: 'ann', suspended: true });
    expect(await errorOf(ann.publish(id))).toEqual([403, 25, 2207050]);
    expect((await ann.get('/me')).status).toBe(200);
  });

  test('failed processing shows in the container; failed publishing leaves no post', async () => {
    const instagram = await startInstagram({ processingMs: 0 });
    const ann = await instagram.person('ann');
    await instagram.fault({ operation: 'upload', kind: 'processing_failed' });
    const reel = { media_type: 'REELS', video_url: instagram.host(makeMp4(5)) };
    expect((await ann.status(await ann.created(reel))).status_code).toBe('ERROR');
    const id = await ann.created(reel);
    await instagram.fault({ operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 90 });
    const limited = await ann.publish(id);
    const usage = JSON.parse(limited.headers.get('x-business-use-case-usage') ?? '{}');
    expect(usage[ann.account.id]).toMatchObject([{ type: 'instagram', estimated_time_to_regain_access: 2 }]);
    expect(await errorOf(limited)).toEqual([400, 80002, undefined]);
    await instagram.fault({ operation: 'publish', kind: 'expired_token' });
    expect(await errorOf(ann.publish(id))).toEqual([400, 190, 463]);
    expect(await instagram.posts()).toEqual([]);
    await instagram.fault({ operation: 'publish', kind: 'reset_after' });
    await expect(ann.publish(id)).rejects.toThrow();
    expect(await ann.status(id)).toMatchObject({ status_code: 'PUBLISHED' });
    expect(await instagram.posts()).toHaveLength(1);
  });
});
