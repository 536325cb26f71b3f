import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tinyMp4, tinyPng } from '../../../test-media.ts';
import { startX } from '../testing.ts';

const megabyte = 1024 * 1024;
const largeMp4 = Buffer.concat([tinyMp4, randomBytes(3 * megabyte)]);
const animatedGif = (width: number, height: number, bytes = 64) => {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.alloc(bytes)]);
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const messageOf = async (response: { json(): Promise<{ errors: { message: string }[] }> }) =>
  (await response.json()).errors[0]?.message;

describe('X media', () => {
  test('an image is available immediately and complete', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const response = await ann.upload(tinyPng);
    expect(response.status).toBe(200);
    const { data } = await response.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      media_key: `3_${data.id}`,
      size: tinyPng.length,
      expires_after_secs: 86_400,
      image: { image_type: 'image/png', w: 1, h: 1 },
    });
    const { data: post } = await (await ann.publish({ text: 'look', media: { media_ids: [data.id] } })).json();
    expect(post.text).toMatch(/^look https:\/\/t\.co\/\w{10}$/);
    expect(await x.posts()).toMatchObject([
      { text: 'look', media: [{ kind: 'image', bytes: tinyPng.length, sha256: sha256(tinyPng) }] },
    ]);
  });

  test('an image may be sent as base64 in JSON and posted without text', async () => {
    const ann = await (await startX()).person('ann');
    const body = { media: tinyPng.toString('base64'), media_category: 'tweet_image' };
    const { data } = await (await ann.send('POST', '/media/upload', body)).json();
    expect((await ann.publish({ media: { media_ids: [data.id] } })).status).toBe(201);
  });

  test('a video is uploaded in segments in any order and processed before it can be posted', async () => {
    let now = Date.now();
    const x = await startX({ now: () => now, processingMs: 10_000 });
    const ann = await x.person('ann');
    const begun = { media_type: 'video/mp4', media_category: 'tweet_video', total_bytes: largeMp4.length };
    const { data } = await (await ann.send('POST', '/media/upload/initialize', begun)).json();
    expect(data).toEqual({ id: expect.any(String), media_key: `7_${data.id}`, expires_after_secs: 86_400 });
    const append = (index: number) => {
      const media = largeMp4.subarray(index * megabyte, (index + 1) * megabyte);
      return ann.sendForm(`/media/upload/${data.id}/append`, { segment_index: String(index), media });
    };
    for (const index of [2, 0, 3, 0]) expect((await append(index)).status).toBe(200);
    const finalize = () => ann.finalize(data.id);
    expect(await messageOf(await finalize())).toBe('Segments do not add up to provided total file size.');
    await append(1);
    const finalized = await (await finalize()).json();
    expect(finalized.data).toMatchObject({
      size: largeMp4.length,
      processing_info: { state: 'pending', check_after_secs: 10 },
    });
    expect((await (await finalize()).json()).data.id).toBe(data.id);
    const withBody = await ann.send('POST', `/media/upload/${data.id}/finalize`, {});
    expect(await messageOf(withBody)).toBe('Request must not have a body.');

    const status = async () => {
      const response = await ann.get(`/media/upload?command=STATUS&media_id=${data.id}`);
      return (await response.json()).data.processing_info;
    };
    const publish = () => ann.publish({ text: 'video', media: { media_ids: [data.id] } });
    expect(await messageOf(await publish())).toBe('Your media IDs are invalid.');
    now += 5000;
    expect(await status()).toEqual({ state: 'in_progress', check_after_secs: 5, progress_percent: 50 });
    now += 5000;
    expect(await status()).toEqual({ state: 'succeeded', progress_percent: 100 });
    expect((await publish()).status).toBe(201);
    expect((await x.posts())[0].media).toEqual([{ kind: 'video', bytes: largeMp4.length, sha256: sha256(largeMp4) }]);
  });

  test.each([
    ['an ordered failure', tinyMp4, 'tweet_video', { code: 1, name: 'InvalidMedia' }],
    ['an image sent as a video', tinyPng, 'tweet_video', { code: 1, name: 'InvalidMedia' }],
    ['a GIF that is too wide', animatedGif(1281, 100), 'tweet_gif', { code: 3, name: 'UnsupportedMedia' }],
  ])('processing ends in failure: %s', async (title, bytes, category, error) => {
    const x = await startX({ processingMs: 0 });
    const ann = await x.person('ann');
    if (title === 'an ordered failure') await x.fault({ kind: 'processing_failed', operation: 'upload' });
    const { data } = await (await ann.uploadInChunks(bytes, megabyte, 'video/mp4', category)).json();
    expect(data.processing_info).toMatchObject({ state: 'failed', error });
    const response = await ann.publish({ text: 'video', media: { media_ids: [data.id] } });
    expect(await messageOf(response)).toBe('Your media IDs are invalid.');
  });

  test('the edge refuses a request over 5 MB without a body', async () => {
    const ann = await (await startX()).person('ann');
    const begun = { media_type: 'video/mp4', media_category: 'tweet_video', total_bytes: 6 * megabyte };
    const { data } = await (await ann.send('POST', '/media/upload/initialize', begun)).json();
    const append = (bytes: number) =>
      ann.sendForm(`/media/upload/${data.id}/append`, { segment_index: '0', media: Buffer.alloc(bytes) });
    const refused = await append(5 * megabyte);
    expect([refused.status, await refused.text()]).toEqual([413, '']);
    expect((await append(4 * megabyte)).status).toBe(200);
  });

  test('sizes are limited as by the vendor', async () => {
    const ann = await (await startX()).person('ann');
    const image = (bytes: number) => ann.upload(Buffer.concat([tinyPng, Buffer.alloc(bytes - tinyPng.length)]));
    expect((await image(5 * megabyte)).status).toBe(200);
    expect(await messageOf(await image(5 * megabyte + 1))).toBe('File size exceeds 5242880 bytes.');
    const begin = (media_category: string, total_bytes: number) =>
      ann.send('POST', '/media/upload/initialize', { media_type: 'video/mp4', media_category, total_bytes });
    expect((await begin('tweet_video', 512 * megabyte)).status).toBe(200);
    expect(await messageOf(await begin('tweet_video', 512 * megabyte + 1))).toMatch(/exceeds 536870912 bytes/);
    expect(await messageOf(await begin('tweet_gif', 15 * megabyte + 1))).toMatch(/exceeds 15728640 bytes/);
  });

  test.each([
    [{ media_type: 'video/avi', total_bytes: 5, media_category: 'tweet_video' }, /^\$\.media_type: does not have/],
    [{ media_type: 'video/mp4', total_bytes: 0 }, /minimum value of 1/],
    [{ media_type: 'video/mp4' }, /^\$\.total_bytes: is missing/],
    [{ media_type: 'video/mp4', total_bytes: 5, media_category: 'clip' }, /^\$\.media_category: does not have/],
    [{ media_type: 'video/mp4', total_bytes: 5, name: 'x' }, /^\$\.name: is not defined/],
  ])('an upload that starts with %j is refused', async (body, words) => {
    const ann = await (await startX()).person('ann');
    const response = await ann.send('POST', '/media/upload/initialize', body);
    expect([response.status, await messageOf(response)]).toEqual([400, expect.stringMatching(words)]);
  });

  test('a file that is not an image by its bytes is refused, whatever its name', async () => {
    const ann = await (await startX()).person('ann');
    expect(await messageOf(await ann.upload(Buffer.from('plain text')))).toBe('media type unrecognized.');
    expect(await messageOf(await ann.upload(tinyMp4))).toBe('media type unrecognized.');
  });

  test('the former commands are refused, a category is required, and an image has no processing status', async () => {
    const ann = await (await startX()).person('ann');
    const old = await ann.sendForm('/media/upload', { command: 'INIT', media_type: 'video/mp4', total_bytes: '5' });
    expect([old.status, await messageOf(old)]).toEqual([400, 'Request body is not valid JSON.']);
    expect(await messageOf(await ann.sendForm('/media/upload', { media: tinyPng }))).toMatch(
      /media_category: is missing/,
    );
    const { data } = await (await ann.upload(tinyPng)).json();
    const status = await ann.get(`/media/upload?command=STATUS&media_id=${data.id}`);
    expect([status.status, await messageOf(status)]).toEqual([400, 'BadRequest: Not found']);
  });

  test('a post has up to four images, one GIF or one video', async () => {
    const x = await startX({ processingMs: 0 });
    const ann = await x.person('ann');
    const idOf = async (response: Promise<{ json(): Promise<{ data: { id: string } }> }>) =>
      (await (await response).json()).data.id;
    const image = () => idOf(ann.upload(tinyPng));
    const gif = await idOf(ann.upload(animatedGif(10, 10), 'tweet_gif'));
    const video = await idOf(ann.uploadInChunks(tinyMp4, megabyte));
    const statusOf = async (text: string, media_ids: string[]) =>
      (await ann.publish({ text, media: { media_ids } })).status;
    expect(await statusOf('images', [await image(), await image(), await image(), await image()])).toBe(201);
    expect(await statusOf('gif', [gif])).toBe(201);
    expect(await statusOf('video', [video])).toBe(201);
    expect(await statusOf('mixed', [await image(), video])).toBe(400);
    expect(await statusOf('two', [gif, gif])).toBe(400);
    expect((await x.posts()).map(({ media }: { media: { kind: string }[] }) => media[0]?.kind)).toEqual([
      'image',
      'gif',
      'video',
    ]);
  });

  test('media can be used only by their owner, for a day', async () => {
    let now = Date.now();
    const x = await startX({ now: () => now });
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const { data } = await (await ann.upload(tinyPng)).json();
    const media = { media_ids: [data.id] };
    expect((await bo.publish({ text: 'stolen', media })).status).toBe(400);
    now += 24 * 3_600_000;
    const later = await x.person('ann');
    expect((await later.publish({ text: 'too late', media })).status).toBe(400);
  });

  test('a description has at most 1000 characters', async () => {
    const ann = await (await startX()).person('ann');
    const { data } = await (await ann.upload(tinyPng)).json();
    const describe = (text: string) =>
      ann.send('POST', '/media/metadata', { id: data.id, metadata: { alt_text: { text } } });
    const response = await describe('漢'.repeat(1000));
    expect(await response.json()).toMatchObject({ data: { id: data.id, associated_metadata: { alt_text: {} } } });
    expect(await messageOf(await describe('a'.repeat(1001)))).toMatch(/may only be 1000 characters long/);
  });
});
