import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeJpeg, makeMp4, tinyPng } from '../../test-media.ts';
import { errorOf, type Fields, startThreads } from './testing.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const dayMs = 86_400_000;
const text = { media_type: 'TEXT', text: 'Hello' };

describe('Threads publishing', () => {
  test('a text container becomes a post with another id', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const id = await ann.created({ ...text, text: 'Grüße <b>', reply_control: 'accounts_you_follow' });
    expect(await ann.status(id)).toEqual({ id, status: 'FINISHED' });
    expect(await threads.posts()).toEqual([]);
    const post = await (await ann.publish(id)).json();
    expect(post.id).not.toBe(id);
    expect(await ann.status(id)).toEqual({ id, status: 'PUBLISHED' });
    const { permalink, shortcode } = await (await ann.get(`/${post.id}?fields=permalink,shortcode`)).json();
    expect(permalink).toBe(`https://www.threads.com/@ann/post/${shortcode}`);
    expect(await threads.posts()).toMatchObject([
      {
        id: post.id,
        text: 'Grüße <b>',
        media: [],
        inReplyTo: null,
        url: permalink,
        request: { body: { creation_id: id, container: { reply_control: 'accounts_you_follow' } } },
      },
    ]);
    const page = await threads.at(permalink.replace('https:/', ''));
    expect(await page.text()).toContain('Grüße &lt;b&gt;');
  });

  test('a published container is not found any more', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const id = await ann.created(text);
    await ann.publish(id);
    expect(await errorOf(ann.publish(id))).toEqual([400, 24, 4279009]);
    expect(await threads.posts()).toHaveLength(1);
  });

  test.each([
    ['IMAGE', 'image_url', makeJpeg(), 'image'],
    ['IMAGE', 'image_url', tinyPng, 'image'],
    ['VIDEO', 'video_url', makeMp4(300), 'video'],
  ])('%s is processed first and not found when published too early', async (media_type, field, bytes, kind) => {
    let now = Date.now();
    const threads = await startThreads({ now: () => now });
    const ann = await threads.person('ann');
    const id = await ann.created({ media_type, [field]: threads.host(bytes), text: 'Look', alt_text: 'a dot' });
    expect((await ann.status(id)).status).toBe('IN_PROGRESS');
    expect(await errorOf(ann.publish(id))).toEqual([400, 24, 4279009]);
    now += 301;
    expect((await ann.status(id)).status).toBe('FINISHED');
    const post = await (await ann.publish(id)).json();
    expect(await threads.posts()).toMatchObject([{ text: 'Look', media: [{ kind, sha256: sha256(bytes) }] }]);
    const read = await (await ann.get(`/${post.id}?fields=media_type,media_url,alt_text`)).json();
    expect(read).toMatchObject({ media_type, alt_text: 'a dot' });
    const served = await threads.at(read.media_url.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
  });

  test('a carousel shows its items in order', async () => {
    const threads = await startThreads({ processingMs: 0 });
    const ann = await threads.person('ann');
    const [image, video] = [makeJpeg(), makeMp4(5)];
    const item = (fields: Record<string, string>) => ann.created({ ...fields, is_carousel_item: true });
    const first = await item({ media_type: 'IMAGE', image_url: threads.host(image) });
    const second = await item({ media_type: 'VIDEO', video_url: threads.host(video) });
    const post = await ann.published({ media_type: 'CAROUSEL', children: `${first},${second}`, text: 'Two' });
    expect(await threads.posts()).toMatchObject([
      { text: 'Two', media: [{ sha256: sha256(image) }, { sha256: sha256(video) }] },
    ]);
    const read = await (await ann.get(`/${post}?fields=media_type,children{media_type}`)).json();
    expect(read).toMatchObject({
      media_type: 'CAROUSEL_ALBUM',
      children: { data: [{ media_type: 'IMAGE' }, { media_type: 'VIDEO' }] },
    });
    expect(await errorOf(ann.publish(first))).toEqual([400, 100, undefined]);
    const few = { media_type: 'CAROUSEL', children: [first] };
    const many = { media_type: 'CAROUSEL', children: Array<string>(21).fill(first) };
    for (const body of [few, many]) expect(await errorOf(ann.create(body))).toEqual([400, 100, undefined]);
    const unknown = { media_type: 'CAROUSEL', children: [first, '1'] };
    expect(await errorOf(ann.create(unknown))).toEqual([400, 24, 4279009]);
  });

  test('a thread is a chain of replies', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const one = await ann.write('1/3');
    const two = await ann.write('2/3', { reply_to_id: one });
    const three = await ann.write('3/3', { reply_to_id: two });
    expect(await threads.posts()).toMatchObject([
      { id: one, inReplyTo: null },
      { id: two, inReplyTo: one },
      { id: three, inReplyTo: two },
    ]);
    const fields = 'replied_to,root_post,is_reply,has_replies';
    expect(await (await ann.get(`/${three}?fields=${fields}`)).json()).toEqual({
      id: three,
      replied_to: { id: two },
      root_post: { id: one },
      is_reply: true,
      has_replies: false,
    });
    expect(await errorOf(ann.create({ ...text, reply_to_id: '404404' }))).toEqual([400, 100, 33]);
  });

  test('faults see a reply as comment and publish, and a text published immediately as publish', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const root = await ann.write('Hello');
    const id = await ann.created({ ...text, reply_to_id: root });
    for (const operation of ['comment', 'publish']) {
      await threads.fault({ operation, kind: 'status', status: 500 });
      expect(await errorOf(ann.publish(id))).toEqual([500, 1, undefined]);
    }
    await threads.fault({ operation: 'publish', kind: 'status', status: 503 });
    expect(await errorOf(ann.create({ ...text, auto_publish_text: true }))).toEqual([503, 2, undefined]);
    expect(await threads.posts()).toHaveLength(1);
  });

  test('a text may be published by the call that creates it', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const id = await ann.created({ ...text, auto_publish_text: true });
    expect(await threads.posts()).toMatchObject([{ id, text: 'Hello' }]);
  });

  test('a text has at most 500 characters, with emojis counted in bytes', async () => {
    const ann = await (await startThreads()).person('ann');
    const outcome = async (words: string) => errorOf(ann.create({ ...text, text: words }));
    expect(await outcome('a'.repeat(500))).toEqual([200, undefined, undefined]);
    expect(await outcome('a'.repeat(501))).toEqual([400, 100, undefined]);
    expect(await outcome('😀'.repeat(125))).toEqual([200, undefined, undefined]);
    expect(await outcome('😀'.repeat(126))).toEqual([400, 100, undefined]);
    const response = await (await ann.create({ ...text, text: 'a'.repeat(501) })).json();
    expect(response.error).toMatchObject({
      message: 'Param text must be at most 500 characters long.',
      type: 'THApiException',
    });
  });

  test('a post has at most five links, including the attached one', async () => {
    const ann = await (await startThreads()).person('ann');
    const links = Array.from({ length: 5 }, (_, index) => `https://x.test/${index}`).join(' ');
    expect((await ann.create({ ...text, text: `${links} https://x.test/0` })).status).toBe(200);
    const over = await (await ann.create({ ...text, text: links, link_attachment: 'https://x.test/5' })).json();
    expect(over.error).toMatchObject({ message: 'THREADS_API__LINK_LIMIT_EXCEEDED', code: 100 });
  });

  test.each<Fields>([
    { media_type: 'GIF' },
    { media_type: 'TEXT', text: ' ' },
    { media_type: 'IMAGE' },
    { ...text, reply_control: 'nobody' },
    { ...text, topic_tag: 'a.b' },
    { ...text, topic_tag: 'a'.repeat(51) },
    { ...text, poll_attachment: { option_a: 'a'.repeat(26), option_b: 'b' } },
    { ...text, text_attachment: { plaintext: 'a'.repeat(10_001) } },
    { ...text, text_attachment: { plaintext: 'a' }, poll_attachment: { option_a: 'a', option_b: 'b' } },
    { ...text, gif_attachment: { gif_id: '1', provider: 'TENOR' } },
    { media_type: 'IMAGE', image_url: 'https://x.test/a.jpg', link_attachment: 'https://x.test/' },
    { media_type: 'IMAGE', image_url: 'https://x.test/a.jpg', alt_text: 'a'.repeat(1001) },
    { media_type: 'IMAGE', image_url: 'https://x.test/a.jpg', is_ghost_post: true },
  ])('a container of %j is refused', async (fields) => {
    const ann = await (await startThreads()).person('ann');
    expect(await errorOf(ann.create(fields))).toEqual([400, 100, undefined]);
  });

  test('a poll with an invalid shape is ignored', async () => {
    const ann = await (await startThreads()).person('ann');
    const poll = async (attachment: string) => {
      const id = await ann.write('Tea?', { poll_attachment: attachment });
      return (await (await ann.get(`/${id}?fields=poll_attachment`)).json()).poll_attachment;
    };
    expect(await poll('{"option_a":"Tea","option_b":"Coffee"}')).toEqual({ option_a: 'Tea', option_b: 'Coffee' });
    expect(await poll('{"options":["Tea","Coffee"]}')).toBeUndefined();
  });

  test.each([
    ['a text', Buffer.from('plain text'), [400, 9004, 2207052]],
    ['over 8 MB', makeJpeg(1080, 1080, 8 * 1024 * 1024), [400, 36000, 2207004]],
    ['too wide', makeJpeg(1200, 100), [400, 36003, 2207009]],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0'), [400, 36001, 2207005]],
  ])('an image that is %s is refused', async (_, bytes, outcome) => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const body = { media_type: 'IMAGE', image_url: threads.host(bytes) };
    expect(await errorOf(ann.create(body))).toEqual(outcome);
  });

  test('the container reports what is wrong with a video', async () => {
    const threads = await startThreads({ processingMs: 0 });
    const ann = await threads.person('ann');
    const failureOf = async (video_url: string) => {
      const id = await ann.created({ media_type: 'VIDEO', video_url });
      expect(await errorOf(ann.publish(id))).toEqual([400, 24, 4279009]);
      return ann.status(id);
    };
    const failed = (error_message: string) => ({ id: expect.any(String), status: 'ERROR', error_message });
    expect(await failureOf(threads.host(makeMp4(301)))).toEqual(failed('INVALID_DURATION'));
    expect(await failureOf(threads.host(makeJpeg()))).toEqual(failed('FAILED_PROCESSING_VIDEO'));
    expect(await failureOf(`${threads.host(makeMp4(5))}404`)).toEqual(failed('FAILED_DOWNLOADING_VIDEO'));
    await threads.fault({ operation: 'upload', kind: 'processing_failed' });
    expect(await failureOf(threads.host(makeMp4(5)))).toEqual(failed('INVALID_FRAME_RATE'));
  });

  test('a container expires after a day and is not visible to other accounts', async () => {
    let now = Date.now();
    const threads = await startThreads({ now: () => now });
    const [ann, bo] = [await threads.person('ann'), await threads.person('bo')];
    const id = await ann.created(text);
    expect(await errorOf(bo.publish(id))).toEqual([400, 24, 4279009]);
    now += dayMs;
    expect((await ann.status(id)).status).toBe('EXPIRED');
    expect(await errorOf(ann.publish(id))).toEqual([400, 24, 4279009]);
  });

  test('posts and replies have quotas, enforced with the vendor’s limits', async () => {
    let now = Date.now();
    const threads = await startThreads({ now: () => now, rateLimits: 'vendor' });
    const ann = await threads.person('ann');
    const publishAtOnce = (more: Record<string, string> = {}) =>
      ann.create({ ...text, auto_publish_text: true, ...more });
    const { id: reply_to_id } = await (await publishAtOnce()).json();
    for (let count = 2; count <= 250; count += 1) await publishAtOnce();
    expect(await errorOf(publishAtOnce())).toEqual([400, 9, 2207042]);
    expect((await publishAtOnce({ reply_to_id })).status).toBe(200);
    const fields = 'quota_usage,config,reply_quota_usage,reply_config,delete_quota_usage';
    const usage = async () => (await ann.get(`/me/threads_publishing_limit?fields=${fields}`)).json();
    expect(await usage()).toEqual({
      data: [
        {
          quota_usage: 250,
          config: { quota_total: 250, quota_duration: 86_400 },
          reply_quota_usage: 1,
          reply_config: { quota_total: 1000, quota_duration: 86_400 },
          delete_quota_usage: 0,
        },
      ],
    });
    now += dayMs;
    expect((await usage()).data[0]).toMatchObject({ quota_usage: 0, reply_quota_usage: 0 });
  });

  test('a rate limit states the waiting time in minutes; a restricted account cannot publish', async () => {
    const threads = await startThreads();
    const ann = await threads.person('ann');
    const id = await ann.created(text);
    await threads.fault({ operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 90 });
    const limited = await ann.publish(id);
    const usage = JSON.parse(limited.headers.get('x-business-use-case-usage') ?? '{}');
    expect(usage[ann.account.id]).toMatchObject([{ estimated_time_to_regain_access: 2 }]);
    expect(await errorOf(limited)).toEqual([403, 4, undefined]);
    await threads.sendJson('PATCH', '/_control/accounts', { network: 'threads', handle: 'ann', suspended: true });
    expect(await errorOf(ann.publish(id))).toEqual([403, 10, 4279013]);
    expect(await threads.posts()).toEqual([]);
  });
});
