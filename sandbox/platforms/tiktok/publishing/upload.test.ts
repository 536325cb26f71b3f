import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeMp4, tinyMp4, tinyPng } from '../../../test-media.ts';
import { errorOf, publicPost, startTikTok } from '../testing.ts';

const megabyte = 1_000_000;

describe('TikTok videos by upload', () => {
  test('init, one chunk, processing and moderation lead to a public post id', async () => {
    let now = Date.now();
    const tiktok = await startTikTok({ now: () => now, processingMs: 10_000 });
    const ann = await tiktok.person('ann');
    const { data, error } = await (await ann.initVideo({ title: 'Launch <day> #demo', disable_duet: true })).json();
    expect(error).toEqual({ code: 'ok', message: '', log_id: expect.any(String) });
    expect(data).toEqual({
      publish_id: expect.stringMatching(/^v_pub_file~v2-1\.\d{19}$/),
      upload_url: expect.stringMatching(
        /^https:\/\/open-upload\.tiktokapis\.com\/video\/\?upload_id=\d+&upload_token=\w+$/,
      ),
    });
    expect((await ann.status(data.publish_id)).data).toMatchObject({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 });
    expect(await tiktok.posts()).toEqual([]);

    const sent = await ann.put(data.upload_url, tinyMp4);
    expect([sent.status, await sent.text()]).toEqual([201, '']);
    expect((await ann.status(data.publish_id)).data.status).toBe('PROCESSING_UPLOAD');
    now += 10_000;
    expect((await ann.status(data.publish_id)).data).toEqual({
      status: 'PUBLISH_COMPLETE',
      publicaly_available_post_id: [],
      uploaded_bytes: tinyMp4.length,
    });
    now += 10_000;
    const raw = await (await ann.send('/post/publish/status/fetch/', { publish_id: data.publish_id })).text();
    const [, id] = /"publicaly_available_post_id":\[(\d{19})\]/.exec(raw) ?? [];
    const [post] = await tiktok.posts();
    expect(post).toMatchObject({
      id,
      text: 'Launch <day> #demo',
      url: `https://www.tiktok.com/@ann/video/${id}`,
      media: [{ kind: 'video', bytes: tinyMp4.length, sha256: sha256(tinyMp4) }],
    });
    expect(post.request.body.post_info).toEqual({ ...publicPost, title: 'Launch <day> #demo', disable_duet: true });
    expect(JSON.stringify(post.request.headers)).not.toContain(ann.credentials.accessToken);
  });

  test('chunks must arrive in order, and the last one contains the remainder', async () => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const video = Buffer.concat([tinyMp4, Buffer.alloc(16 * megabyte, 7)]);
    const chunk = 6 * megabyte;
    const plan = { source: 'FILE_UPLOAD', video_size: video.length, chunk_size: chunk, total_chunk_count: 2 };
    const { data } = await (await ann.initVideo({}, plan)).json();
    const put = (first: number, end: number) =>
      ann.put(data.upload_url, video.subarray(first, end), first, video.length);

    const early = await put(chunk, video.length);
    expect([early.status, early.headers.get('content-range')]).toEqual([416, null]);
    const first = await put(0, chunk);
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-${chunk - 1}/${video.length}`]);
    const again = await put(0, chunk);
    expect([again.status, again.headers.get('content-range')]).toEqual([416, `bytes 0-${chunk - 1}/${video.length}`]);
    expect((await ann.status(data.publish_id)).data.uploaded_bytes).toBe(chunk);
    expect((await put(chunk, 2 * chunk)).status).toBe(400);
    const last = await Promise.all([put(chunk, video.length), put(chunk, video.length)]);
    expect(last.map(({ status }) => status).sort()).toEqual([201, 416]);
    const posts = await tiktok.posts();
    expect(posts.map(({ media }: { media: unknown }) => media)).toEqual([
      [{ kind: 'video', bytes: video.length, sha256: sha256(video) }],
    ]);
  });

  test.each([
    [{ video_size: 3 * megabyte, chunk_size: megabyte, total_chunk_count: 3 }, 'The chunk size is invalid'],
    [{ video_size: 70 * megabyte, chunk_size: 70 * megabyte, total_chunk_count: 1 }, 'The chunk size is invalid'],
    [
      { video_size: 70 * megabyte, chunk_size: 64 * megabyte, total_chunk_count: 1 },
      'The total chunk count is invalid',
    ],
    [
      { video_size: 25 * megabyte, chunk_size: 10 * megabyte, total_chunk_count: 3 },
      'The total chunk count is invalid',
    ],
    [{ video_size: 0, chunk_size: 0, total_chunk_count: 1 }, 'The video size is invalid'],
    [{ video_size: 5 * 1024 ** 3, chunk_size: 64 * megabyte, total_chunk_count: 83 }, 'The video size is invalid'],
  ])('the chunk plan %j is refused', async (plan, message) => {
    const ann = await (await startTikTok()).person('ann');
    const response = await ann.initVideo({}, { source: 'FILE_UPLOAD', ...plan });
    expect([response.status, (await response.json()).error]).toMatchObject([400, { code: 'invalid_param', message }]);
  });

  test.each([
    [50_000_123, 10_000_000, 5],
    [64_000_000, 64_000_000, 1],
    [5_100_000, 5_100_000, 1],
    [4 * 1024 ** 3, 10_485_760, 409],
  ])('a file of %i bytes may be sent in chunks of %i', async (video_size, chunk_size, total_chunk_count) => {
    const ann = await (await startTikTok()).person('ann');
    const response = await ann.initVideo({}, { source: 'FILE_UPLOAD', video_size, chunk_size, total_chunk_count });
    expect(response.status).toBe(200);
  });

  test('an upload address expires after an hour and requires its token', async () => {
    let now = Date.now();
    const ann = await (await startTikTok({ now: () => now })).person('ann');
    const { data } = await (await ann.initVideo()).json();
    expect((await ann.put(data.upload_url.replace('upload_token=', 'upload_token=0'), tinyMp4)).status).toBe(404);
    expect((await ann.put(data.upload_url, tinyMp4, 0, tinyMp4.length, { 'content-type': 'image/png' })).status).toBe(
      400,
    );
    expect((await ann.put(data.upload_url, tinyMp4, 0, tinyMp4.length, { 'content-range': 'bytes 0' })).status).toBe(
      400,
    );
    now += 3_600_000;
    expect((await ann.put(data.upload_url, tinyMp4)).status).toBe(403);
  });

  test.each([
    ['an ordered failure', tinyMp4, 'file_format_check_failed'],
    ['an image', tinyPng, 'file_format_check_failed'],
    ['two seconds', makeMp4(2), 'duration_check_failed'],
    ['eleven minutes', makeMp4(660), 'duration_check_failed'],
    ['15 frames a second', makeMp4(4, 15), 'frame_rate_check_failed'],
    ['120 frames a second', makeMp4(4, 120), 'frame_rate_check_failed'],
  ])('processing ends in failure, and nothing is posted: %s', async (title, video, fail_reason) => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    if (title === 'an ordered failure') await tiktok.fault({ kind: 'processing_failed', operation: 'upload' });
    const publishId = await ann.publish({}, video);
    expect((await ann.status(publishId)).data).toMatchObject({ status: 'FAILED', fail_reason });
    expect(await tiktok.posts()).toEqual([]);
  });

  test('a private account may post videos of three minutes', async () => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const [ann, bo] = [await tiktok.person('ann'), await tiktok.person('private_bo')];
    const [open, closed] = [
      await ann.publish({}, makeMp4(200, 30)),
      await bo.publish({ privacy_level: 'SELF_ONLY' }, makeMp4(200)),
    ];
    expect((await ann.status(open)).data.status).toBe('PUBLISH_COMPLETE');
    expect((await bo.status(closed)).data.fail_reason).toBe('duration_check_failed');
  });

  test('a post that is not public never gets a public id', async () => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const publishId = await ann.publish({ privacy_level: 'SELF_ONLY' });
    expect((await ann.status(publishId)).data).toMatchObject({
      status: 'PUBLISH_COMPLETE',
      publicaly_available_post_id: [],
    });
    expect(await tiktok.posts()).toHaveLength(1);
  });

  test('a caption has at most 2200 UTF-16 units', async () => {
    const ann = await (await startTikTok()).person('ann');
    expect((await ann.initVideo({ title: '🎉'.repeat(1100) })).status).toBe(200);
    expect(await errorOf(await ann.initVideo({ title: `${'🎉'.repeat(1100)}!` }))).toEqual([400, 'invalid_param']);
  });

  test('a publication is visible only to its owner', async () => {
    const tiktok = await startTikTok();
    const [ann, bo] = [await tiktok.person('ann'), await tiktok.person('bo')];
    const publishId = await ann.publish();
    expect((await bo.status(publishId)).error.code).toBe('token_not_authorized_for_specified_publish_id');
    expect((await bo.status('v_pub_file~v2-1.1')).error.code).toBe('invalid_publish_id');
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
