import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFilm } from '../../film.ts';
import { aPng } from '../../testing.ts';
import { aFilm, aPage, errorOf } from './testing.ts';

const fixture = fileURLToPath(new URL('../../../test/fixtures/four-seconds.mp4', import.meta.url));

describe('Facebook videos', () => {
  test('a video is processed before its post shows', async () => {
    let now = Date.now();
    const { upload, get, pageId, posts } = await aPage('bakery', { now: () => now, processingMs: 1000 });
    const { id } = await (
      await upload(`${pageId}/videos`, 'source', aFilm, { description: 'Tour', title: 'T' })
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
        uploading_phase: { status: 'complete', bytes_transferred: aFilm.length },
        publishing_phase: { status: 'complete', publish_status: 'published' },
      },
    });
    expect(await posts()).toMatchObject([
      { id: ready.post_id, text: 'Tour', media: [{ kind: 'video', bytes: aFilm.length }] },
    ]);
    expect((await (await get(`${pageId}/published_posts`)).json()).data).toMatchObject([{ id: ready.post_id }]);
    expect((await (await get(`${pageId}/videos`)).json()).data).toMatchObject([{ id, description: 'Tour' }]);
  });

  test('a video that cannot be processed says why, and there is no post', async () => {
    const { sandbox, upload, get, pageId, posts } = await aPage();
    await sandbox.fault({ network: 'facebook', operation: 'upload', kind: 'processing_failed' });
    const { id } = await (await upload(`${pageId}/videos`, 'source', aFilm)).json();
    const { status } = await (await get(`${id}?fields=status`)).json();
    expect(status).toMatchObject({
      video_status: 'error',
      processing_phase: { status: 'error', errors: [{ code: 1363047, message: expect.any(String) }] },
    });
    expect(await posts()).toEqual([]);
  });

  test('a big file comes in chunks whose places Facebook names', async () => {
    const { post, upload, pageId, posts } = await aPage();
    const film = Buffer.concat([aFilm, Buffer.alloc(1_500_000, 1)]);
    const started = await (await post(`${pageId}/videos`, { upload_phase: 'start', file_size: film.length })).json();
    expect(started).toMatchObject({ start_offset: '0', end_offset: '1048576', video_id: expect.any(String) });
    const { upload_session_id } = started;
    let { start_offset, end_offset } = started;
    const early = post(`${pageId}/videos`, { upload_phase: 'finish', upload_session_id });
    expect(await errorOf(early)).toMatchObject({ code: 6000, subcode: 1363045 });
    while (start_offset !== end_offset) {
      const chunk = film.subarray(Number(start_offset), Number(end_offset));
      const fields = { upload_phase: 'transfer', upload_session_id, start_offset };
      const sent = await upload(`${pageId}/videos`, 'video_file_chunk', chunk, fields);
      ({ start_offset, end_offset } = await sent.json());
    }
    const repeated = upload(`${pageId}/videos`, 'video_file_chunk', aFilm, {
      upload_phase: 'transfer',
      upload_session_id,
      start_offset: '0',
    });
    expect(await errorOf(repeated)).toMatchObject({ code: 6000, subcode: 1363037 });
    const finish = () => post(`${pageId}/videos`, { upload_phase: 'finish', upload_session_id, description: 'Big' });
    expect(await (await finish()).json()).toEqual({ success: true });
    expect(await (await finish()).json()).toEqual({ success: true });
    expect(await posts()).toMatchObject([{ text: 'Big', media: [{ kind: 'video', bytes: film.length }] }]);
  });

  test('a video is fetched from its address', async () => {
    const { post, pageId, posts } = await aPage();
    const file_url = await aHost(aFilm);
    expect((await post(`${pageId}/videos`, { file_url, description: 'Fetched' })).status).toBe(200);
    expect(await posts()).toMatchObject([{ text: 'Fetched', media: [{ bytes: aFilm.length }] }]);
    expect((await errorOf(post(`${pageId}/videos`, { file_url: 'http://127.0.0.1:9/' }))).code).toBe(389);
  });

  test.each([
    ['too small', aFilm.subarray(0, 500), 1363022],
    ['no video', Buffer.alloc(2000, 'text'), 1363024],
  ])('a file that is %s is refused', async (_, bytes, subcode) => {
    const { upload, pageId, posts } = await aPage();
    expect(await errorOf(upload(`${pageId}/videos`, 'source', bytes))).toMatchObject({ status: 400, subcode });
    expect(await posts()).toEqual([]);
  });

  test('the index of a file tells its length and size', async () => {
    expect(readFilm(fixture)).toEqual({ seconds: expect.closeTo(4, 0), width: 320, height: 180 });
  });
});

describe('Facebook reels', () => {
  test('start, bytes, finish, and the address without a host', async () => {
    const { post, get, send, sandbox, pageId, posts } = await aPage();
    const { video_id, upload_url } = await (await post(`${pageId}/video_reels`, { upload_phase: 'start' })).json();
    expect(upload_url).toBe(`https://rupload.facebook.com/video-upload/v26.0/${video_id}`);
    const finish = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED', description: 'Reel' };
    expect((await errorOf(post(`${pageId}/video_reels`, finish))).code).toBe(6000);
    expect(await (await send(upload_url, aFilm)).json()).toEqual({ success: true });
    const before = await (await get(`${video_id}?fields=status`)).json();
    expect(before.status).toMatchObject({
      video_status: 'upload_complete',
      processing_phase: { status: 'not_started' },
    });
    const finished = await (await post(`${pageId}/video_reels`, finish)).json();
    expect(finished).toEqual({ success: true, post_id: expect.stringMatching(new RegExp(`^${pageId}_`)) });
    expect(await (await post(`${pageId}/video_reels`, finish)).json()).toEqual(finished);
    const after = await (await get(`${video_id}?fields=status,permalink_url,post_id`)).json();
    expect(after).toMatchObject({
      permalink_url: `/reel/${video_id}/`,
      post_id: finished.post_id,
      status: { video_status: 'ready' },
    });
    expect(await posts()).toMatchObject([
      { id: finished.post_id, text: 'Reel', url: `https://www.facebook.com/reel/${video_id}/` },
    ]);
    expect(await (await sandbox.at(`/www.facebook.com/reel/${video_id}/`)).text()).toContain('Reel');
    const comment = await post(`${video_id}/comments`, { message: 'On the reel' });
    expect(comment.status).toBe(200);
    expect((await posts())[1]).toMatchObject({ inReplyTo: finished.post_id });
  });

  test('an interrupted upload goes on where it stopped, and may begin again', async () => {
    const { post, get, send, pageId, posts } = await aPage();
    const { video_id, upload_url } = await (await post(`${pageId}/video_reels`, { upload_phase: 'start' })).json();
    const file_size = String(aFilm.length);
    for (let time = 0; time < 2; time += 1) await send(upload_url, aFilm.subarray(0, 1000), { file_size });
    const { status } = await (await get(`${video_id}?fields=status`)).json();
    expect(status.uploading_phase).toMatchObject({ status: 'in_progress', bytes_transferred: 1000 });
    const wrong = await send(upload_url, aFilm.subarray(1000), { file_size, offset: '999' });
    expect([wrong.status, (await wrong.json()).debug_info.type]).toEqual([400, 'OffsetInvalidError']);
    await send(upload_url, aFilm.subarray(1000), { file_size, offset: '1000' });
    await post(`${pageId}/video_reels`, { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' });
    expect(await posts()).toMatchObject([{ media: [{ kind: 'video', bytes: aFilm.length }] }]);
  });

  test('a film that lies on its side is no reel: processing says so', async () => {
    const { post, get, send, pageId, posts } = await aPage();
    const { video_id, upload_url } = await (await post(`${pageId}/video_reels`, { upload_phase: 'start' })).json();
    await send(upload_url, readFileSync(fixture));
    await post(`${pageId}/video_reels`, { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' });
    const { status } = await (await get(`${video_id}?fields=status`)).json();
    expect(status).toMatchObject({ video_status: 'error', processing_phase: { errors: [{ code: 1363040 }] } });
    expect(await posts()).toEqual([]);
  });

  test('an address may stand for the bytes', async () => {
    const { post, sandbox, accessToken, pageId } = await aPage();
    const { upload_url } = await (await post(`${pageId}/video_reels`, { upload_phase: 'start' })).json();
    const headers = { authorization: `OAuth ${accessToken}` };
    const path = upload_url.replace('https:/', '');
    const fetched = await sandbox.at(path, { method: 'POST', headers: { ...headers, file_url: await aHost(aFilm) } });
    expect(await fetched.json()).toEqual({ success: true });
    const missing = await sandbox.at(path, {
      method: 'POST',
      headers: { ...headers, file_url: 'http://127.0.0.1:9/' },
    });
    expect([missing.status, (await missing.json()).debug_info.retriable]).toEqual([400, false]);
  });

  test('thirty a day, where the vendor’s limits hold', async () => {
    const { post, send, pageId } = await aPage('bakery', { rateLimits: 'vendor' });
    const publish = async () => {
      const { video_id, upload_url } = await (await post(`${pageId}/video_reels`, { upload_phase: 'start' })).json();
      await send(upload_url, aFilm);
      return post(`${pageId}/video_reels`, { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' });
    };
    for (let count = 0; count < 30; count += 1) expect((await publish()).status).toBe(200);
    expect(await errorOf(publish())).toMatchObject({ status: 400, code: 368, subcode: 1390008 });
  });

  test('stories have media and no words, and are not among the posts', async () => {
    const { post, upload, send, get, pageId, posts } = await aPage();
    const { id: photo_id } = await (await upload(`${pageId}/photos`, 'source', aPng, { published: 'false' })).json();
    expect(await (await post(`${pageId}/photo_stories`, { photo_id })).json()).toMatchObject({ success: true });
    const { video_id, upload_url } = await (await post(`${pageId}/video_stories`, { upload_phase: 'start' })).json();
    await send(upload_url, aFilm);
    const video = await (await post(`${pageId}/video_stories`, { upload_phase: 'finish', video_id })).json();
    expect(await posts()).toMatchObject([
      { text: '', media: [{ kind: 'image' }] },
      { id: video.post_id, media: [{ kind: 'video' }] },
    ]);
    expect((await (await get(`${pageId}/published_posts`)).json()).data).toEqual([]);
  });
});

async function aHost(bytes: Buffer): Promise<string> {
  const server = createServer((_, response) => void response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`;
}
