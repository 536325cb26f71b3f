import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeMp4, tinyMp4, tinyPng } from '../../test-media.ts';
import { startTestSandbox } from '../../testing.ts';

describe('Mastodon media', () => {
  test('an image is available immediately, with its size, description and bytes', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const upload = await ann.upload(tinyPng, { description: 'a dot', focus: '0.5,-0.5' });
    expect(upload.status).toBe(200);
    const media = await upload.json();
    expect(media).toMatchObject({
      type: 'image',
      description: 'a dot',
      meta: { focus: { x: 0.5, y: -0.5 }, original: { width: 1, height: 1 } },
    });
    await ann.publish({ status: 'look', media_ids: [media.id] });
    const sha256 = createHash('sha256').update(tinyPng).digest('hex');
    expect((await sandbox.posts())[0].media).toEqual([
      { kind: 'image', bytes: tinyPng.length, sha256, altText: 'a dot' },
    ]);
    const served = await sandbox.at(media.url.replace('https:/', ''));
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await served.arrayBuffer()).equals(tinyPng)).toBe(true);
  });

  test('a video is processed first: 202, then 206, then 200; attaching it too early is refused', async () => {
    let now = Date.now();
    const ann = await (await startTestSandbox({ now: () => now })).account('ann');
    const upload = await ann.upload(tinyMp4);
    const { id, type, url } = await upload.json();
    expect([upload.status, type, url]).toEqual([202, 'video', null]);
    expect((await ann.get(`/api/v1/media/${id}`)).status).toBe(206);
    const early = await ann.publish({ status: 'x', media_ids: [id] });
    expect((await early.json()).error).toMatch(/Cannot attach files that have not finished processing/);
    now += 301;
    const ready = await ann.get(`/api/v1/media/${id}`);
    expect([ready.status, (await ready.json()).url]).toEqual([
      200,
      expect.stringMatching(/^https:\/\/mastodon\.social\//),
    ]);
    expect((await ann.publish({ status: 'x', media_ids: [id] })).status).toBe(200);
    expect((await ann.get(`/api/v1/media/${id}`)).status).toBe(404);
  });

  test('the vendor’s combinations of attachments are enforced', async () => {
    const ann = await (await startTestSandbox({ processingMs: 0 })).account('ann');
    const upload = async (bytes: Buffer) => (await (await ann.upload(bytes)).json()).id;
    const images = [await upload(tinyPng), await upload(tinyPng), await upload(tinyPng), await upload(tinyPng)];
    const [video, fifth] = [await upload(tinyMp4), await upload(tinyPng)];
    const errorOf = async (ids: string[]) => (await (await ann.publish({ status: 'x', media_ids: ids })).json()).error;
    expect(await errorOf([...images, fifth])).toMatch('Cannot attach more than 4 files');
    expect(await errorOf([fifth, video])).toMatch('Cannot attach a video to a post that already contains images');
    expect(await errorOf(['123'])).toMatch('Media 123 not found or already attached to another post');
    expect(await errorOf(images)).toBeUndefined();
    expect(await errorOf([images[0]])).toMatch('not found or already attached');
  });

  test('files of the wrong type or size are refused', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const errorOf = async (bytes: Buffer) => (await (await ann.upload(bytes)).json()).error;
    expect(await errorOf(Buffer.from('plain text'))).toBe(
      'Validation failed: File content type is invalid, File is invalid',
    );
    const large = Buffer.concat([tinyPng, Buffer.alloc(16 * 1024 * 1024)]);
    expect(await errorOf(large)).toBe('Validation failed: File file size must be less than 16 MB');
    const wide = Buffer.from(tinyPng);
    wide.writeUInt32BE(40_000, 16);
    wide.writeUInt32BE(40_000, 20);
    expect(await errorOf(wide)).toBe('40000x40000 images are not supported');
  });

  test('videos with too many pixels or frames are refused, and those at the limits are not', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const upload = async (framesPerSecond: number, size: { width: number; height: number }) => {
      const answer = await ann.upload(makeMp4(1, framesPerSecond, size));
      return [answer.status, (await answer.json()).error];
    };
    const largest = { width: 3840, height: 2160 };
    expect(await upload(120, largest)).toEqual([202, undefined]);
    expect(await upload(30, { width: 3841, height: 2160 })).toEqual([422, '3841x2160 videos are not supported']);
    expect(await upload(121, largest)).toEqual([422, '121fps videos are not supported']);
  });

  test('a body over the proxy’s limit is 413 in HTML', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const response = await ann.upload(Buffer.alloc(100 * 1024 * 1024));
    expect([response.status, response.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  });

  test('a large video keeps its bytes', async () => {
    const sandbox = await startTestSandbox({ processingMs: 0 });
    const ann = await sandbox.account('ann');
    const video = Buffer.concat([tinyMp4, Buffer.alloc(60 * 1024 * 1024, 7)]);
    const { id } = await (await ann.upload(video)).json();
    await ann.publish({ status: 'x', media_ids: [id] });
    const sha256 = createHash('sha256').update(video).digest('hex');
    expect((await sandbox.posts())[0].media).toEqual([{ kind: 'video', bytes: video.length, sha256 }]);
    const part = await sandbox.at(`/media/${sha256}`, { headers: { range: 'bytes=0-11' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-11/${video.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(video.subarray(0, 12))).toBe(true);
  });

  test('a description can be changed until the file is in use', async () => {
    const ann = await (await startTestSandbox()).account('ann');
    const { id } = await (await ann.upload(tinyPng)).json();
    const changed = await (await ann.send('PUT', `/api/v1/media/${id}`, { description: 'better' })).json();
    expect(changed.description).toBe('better');
    const status = await (await ann.publish({ status: 'x', media_ids: [id] })).json();
    expect(status.media_attachments).toMatchObject([{ id, description: 'better' }]);
    expect((await ann.send('PUT', `/api/v1/media/${id}`, { description: 'late' })).status).toBe(404);
  });

  test('another account’s file is not found', async () => {
    const sandbox = await startTestSandbox();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { id } = await (await ann.upload(tinyPng)).json();
    expect((await bo.get(`/api/v1/media/${id}`)).status).toBe(404);
    expect((await bo.publish({ status: 'x', media_ids: [id] })).status).toBe(422);
  });

  test('an unused file is deleted after a day; a used one stays', async () => {
    let now = Date.now();
    const ann = await (await startTestSandbox({ now: () => now })).account('ann');
    const [shown, unused] = [await (await ann.upload(tinyPng)).json(), await (await ann.upload(tinyPng)).json()];
    const status = await (await ann.publish({ media_ids: [shown.id] })).json();
    now += 24 * 60 * 60_000 + 1;
    expect((await ann.get(`/api/v1/media/${unused.id}`)).status).toBe(404);
    const refused = await ann.publish({ media_ids: [unused.id] });
    expect((await refused.json()).error).toMatch(`Media ${unused.id} not found or already attached to another post`);
    const still = await (await ann.get(`/api/v1/statuses/${status.id}`)).json();
    expect(still.media_attachments).toMatchObject([{ id: shown.id }]);
  });

  test('an image that cannot be processed is refused immediately, with a 500', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'processing_failed' });
    const refused = await ann.upload(tinyPng);
    expect([refused.status, await refused.json()]).toEqual([
      500,
      { error: 'Error processing thumbnail for uploaded media' },
    ]);
  });
});
