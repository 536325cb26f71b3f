import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorOf, largeMp4, startWithPage } from '../testing.ts';

describe('Facebook videos', () => {
  test('a video is processed before its post is visible', async () => {
    let now = Date.now();
    const { upload, get, pageId, posts } = await startWithPage('bakery', { now: () => now, processingMs: 1000 });
    const { id } = await (
      await upload(`${pageId}/videos`, 'source', largeMp4, { description: 'Tour', title: 'T' })
    ).json();
    const status = async () => (await get(`${id}?fields=status,post_id,permalink_url`)).json();
    expect(await status()).toMatchObject({
      status: { video_status: 'processing', processing_phase: { status: 'in_progress' } },
    });
    expect((await status()).post_id).toBeUndefined();
    expect((await (await get(`${pageId}/published_posts`)).json()).data).toEqual([]);
    now += 1001;
    const ready = await status();
    expect(ready).toMatchObject({
      permalink_url: `/${pageId}/videos/${id}/`,
      status: {
        video_status: 'ready',
        uploading_phase: { status: 'complete', bytes_transferred: largeMp4.length },
        publishing_phase: { status: 'complete', publish_status: 'published' },
      },
    });
    expect(await posts()).toMatchObject([
      { id: ready.post_id, text: 'Tour', media: [{ kind: 'video', bytes: largeMp4.length }] },
    ]);
    expect((await (await get(`${pageId}/published_posts`)).json()).data).toMatchObject([{ id: ready.post_id }]);
  });

  test('failed processing states the reason and leaves no post', async () => {
    const { sandbox, upload, get, pageId, posts } = await startWithPage();
    await sandbox.fault({ network: 'facebook', operation: 'upload', kind: 'processing_failed' });
    const { id } = await (await upload(`${pageId}/videos`, 'source', largeMp4)).json();
    const { status } = await (await get(`${id}?fields=status`)).json();
    expect(status).toMatchObject({
      video_status: 'error',
      processing_phase: { status: 'error', errors: [{ code: 1363047, message: expect.any(String) }] },
    });
    expect(await posts()).toEqual([]);
  });

  test('a large file is uploaded in the chunks that Facebook asks for', async () => {
    const { post, upload, pageId, posts } = await startWithPage();
    const video = Buffer.concat([largeMp4, Buffer.alloc(1_500_000, 1)]);
    const started = await (await post(`${pageId}/videos`, { upload_phase: 'start', file_size: video.length })).json();
    expect(started).toMatchObject({ start_offset: '0', end_offset: '1048576', video_id: expect.any(String) });
    const { upload_session_id } = started;
    let { start_offset, end_offset } = started;
    const early = post(`${pageId}/videos`, { upload_phase: 'finish', upload_session_id });
    expect(await errorOf(early)).toMatchObject({ code: 6000, subcode: 1363045 });
    while (start_offset !== end_offset) {
      const chunk = video.subarray(Number(start_offset), Number(end_offset));
      const fields = { upload_phase: 'transfer', upload_session_id, start_offset };
      const sent = await upload(`${pageId}/videos`, 'video_file_chunk', chunk, fields);
      ({ start_offset, end_offset } = await sent.json());
    }
    const repeated = upload(`${pageId}/videos`, 'video_file_chunk', largeMp4, {
      upload_phase: 'transfer',
      upload_session_id,
      start_offset: '0',
    });
    expect(await errorOf(repeated)).toMatchObject({ code: 6000, subcode: 1363037 });
    const finish = () => post(`${pageId}/videos`, { upload_phase: 'finish', upload_session_id, description: 'Big' });
    const atOnce = await Promise.all([finish(), finish()]);
    for (const answer of [...atOnce, await finish()]) expect(await answer.json()).toEqual({ success: true });
    expect(await posts()).toMatchObject([{ text: 'Big', media: [{ kind: 'video', bytes: video.length }] }]);
  });

  test('a video is fetched from its address', async () => {
    const { post, pageId, posts } = await startWithPage();
    const file_url = await startHost(largeMp4);
    expect((await post(`${pageId}/videos`, { file_url, description: 'Fetched' })).status).toBe(200);
    expect(await posts()).toMatchObject([{ text: 'Fetched', media: [{ bytes: largeMp4.length }] }]);
    expect((await errorOf(post(`${pageId}/videos`, { file_url: 'http://127.0.0.1:9/' }))).code).toBe(389);
  });

  test.each([
    ['too small', largeMp4.subarray(0, 500), 1363022],
    ['no video', Buffer.alloc(2000, 'text'), 1363024],
  ])('a file that is %s is refused', async (_, bytes, subcode) => {
    const { upload, pageId, posts } = await startWithPage();
    expect(await errorOf(upload(`${pageId}/videos`, 'source', bytes))).toMatchObject({ status: 400, subcode });
    expect(await posts()).toEqual([]);
  });
});

async function startHost(bytes: Buffer): Promise<string> {
  const server = createServer((_, response) => void response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/video.mp4`;
}
