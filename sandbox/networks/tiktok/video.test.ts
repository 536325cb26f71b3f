import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aFilm } from '../../a-film.ts';
import { anMp4, aPng } from '../../testing.ts';
import { aPlan, aTikTok, codeOf, publicly } from './testing.ts';

const megabyte = 1_000_000;

describe('TikTok videos by upload', () => {
  test('init, one chunk, processing, moderation, and the post has its id', async () => {
    let now = Date.now();
    const tiktok = await aTikTok({ now: () => now, processingMs: 10_000 });
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

    const sent = await ann.put(data.upload_url, anMp4);
    expect([sent.status, await sent.text()]).toEqual([201, '']);
    expect((await ann.status(data.publish_id)).data.status).toBe('PROCESSING_UPLOAD');
    now += 10_000;
    expect((await ann.status(data.publish_id)).data).toEqual({
      status: 'PUBLISH_COMPLETE',
      publicaly_available_post_id: [],
      uploaded_bytes: anMp4.length,
    });
    now += 10_000;
    const raw = await (await ann.send('/post/publish/status/fetch/', { publish_id: data.publish_id })).text();
    const [, id] = /"publicaly_available_post_id":\[(\d{19})\]/.exec(raw) ?? [];
    const [post] = await tiktok.posts();
    expect(post).toMatchObject({
      id,
      text: 'Launch <day> #demo',
      url: `https://www.tiktok.com/@ann/video/${id}`,
      media: [{ kind: 'video', bytes: anMp4.length, sha256: sha256(anMp4) }],
    });
    expect(post.request.body.post_info).toEqual({ ...publicly, title: 'Launch <day> #demo', disable_duet: true });
    expect(JSON.stringify(post.request.headers)).not.toContain(ann.credentials.accessToken);
  });

  test('chunks come one after the other, and the last takes along what is left over', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const film = Buffer.concat([anMp4, Buffer.alloc(16 * megabyte, 7)]);
    const chunk = 6 * megabyte;
    const plan = { source: 'FILE_UPLOAD', video_size: film.length, chunk_size: chunk, total_chunk_count: 2 };
    const { data } = await (await ann.initVideo({}, plan)).json();
    const put = (first: number, end: number) => ann.put(data.upload_url, film.subarray(first, end), first, film.length);

    const early = await put(chunk, film.length);
    expect([early.status, early.headers.get('content-range')]).toEqual([416, null]);
    const first = await put(0, chunk);
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-${chunk - 1}/${film.length}`]);
    const again = await put(0, chunk);
    expect([again.status, again.headers.get('content-range')]).toEqual([416, `bytes 0-${chunk - 1}/${film.length}`]);
    expect((await ann.status(data.publish_id)).data.uploaded_bytes).toBe(chunk);
    expect((await put(chunk, 2 * chunk)).status).toBe(400);
    const last = await Promise.all([put(chunk, film.length), put(chunk, film.length)]);
    expect(last.map(({ status }) => status).sort()).toEqual([201, 416]);
    const posts = await tiktok.posts();
    expect(posts.map(({ media }: { media: unknown }) => media)).toEqual([
      [{ kind: 'video', bytes: film.length, sha256: sha256(film) }],
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
  ])('%j is no way to cut a file', async (plan, message) => {
    const ann = await (await aTikTok()).person('ann');
    const answer = await ann.initVideo({}, { source: 'FILE_UPLOAD', ...plan });
    expect([answer.status, (await answer.json()).error]).toMatchObject([400, { code: 'invalid_param', message }]);
  });

  test.each([
    [50_000_123, 10_000_000, 5],
    [64_000_000, 64_000_000, 1],
    [5_100_000, 5_100_000, 1],
    [4 * 1024 ** 3, 10_485_760, 409],
  ])('a file of %i bytes may come in chunks of %i', async (video_size, chunk_size, total_chunk_count) => {
    const ann = await (await aTikTok()).person('ann');
    const answer = await ann.initVideo({}, { source: 'FILE_UPLOAD', video_size, chunk_size, total_chunk_count });
    expect(answer.status).toBe(200);
  });

  test('an address for uploads ends after an hour, and its token must be right', async () => {
    let now = Date.now();
    const ann = await (await aTikTok({ now: () => now })).person('ann');
    const { data } = await (await ann.initVideo()).json();
    expect((await ann.put(data.upload_url.replace('upload_token=', 'upload_token=0'), anMp4)).status).toBe(404);
    expect((await ann.put(data.upload_url, anMp4, 0, anMp4.length, { 'content-type': 'image/png' })).status).toBe(400);
    expect((await ann.put(data.upload_url, anMp4, 0, anMp4.length, { 'content-range': 'bytes 0' })).status).toBe(400);
    now += 3_600_000;
    expect((await ann.put(data.upload_url, anMp4)).status).toBe(403);
  });

  test.each([
    ['an ordered failure', anMp4, 'file_format_check_failed'],
    ['a picture', aPng, 'file_format_check_failed'],
    ['two seconds', aFilm(2), 'duration_check_failed'],
    ['eleven minutes', aFilm(660), 'duration_check_failed'],
  ])('processing ends in failure, and nothing is posted: %s', async (title, film, fail_reason) => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    if (title === 'an ordered failure') await tiktok.fault({ kind: 'processing_failed', operation: 'upload' });
    const publishId = await ann.publish({}, film);
    expect((await ann.status(publishId)).data).toMatchObject({ status: 'FAILED', fail_reason });
    expect(await tiktok.posts()).toEqual([]);
  });

  test('a private account has three minutes', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const [ann, bo] = [await tiktok.person('ann'), await tiktok.person('private_bo')];
    const [open, closed] = [
      await ann.publish({}, aFilm(200)),
      await bo.publish({ privacy_level: 'SELF_ONLY' }, aFilm(200)),
    ];
    expect((await ann.status(open)).data.status).toBe('PUBLISH_COMPLETE');
    expect((await bo.status(closed)).data.fail_reason).toBe('duration_check_failed');
  });

  test('what not everybody can see never gets a public id', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const publishId = await ann.publish({ privacy_level: 'SELF_ONLY' });
    expect((await ann.status(publishId)).data).toMatchObject({
      status: 'PUBLISH_COMPLETE',
      publicaly_available_post_id: [],
    });
    expect(await tiktok.posts()).toHaveLength(1);
  });

  test('a caption ends at 2200 UTF-16 units', async () => {
    const ann = await (await aTikTok()).person('ann');
    expect((await ann.initVideo({ title: '🎉'.repeat(1100) })).status).toBe(200);
    expect(await codeOf(await ann.initVideo({ title: `${'🎉'.repeat(1100)}!` }))).toEqual([400, 'invalid_param']);
  });

  test('a publication is its owner’s', async () => {
    const tiktok = await aTikTok();
    const [ann, bo] = [await tiktok.person('ann'), await tiktok.person('bo')];
    const publishId = await ann.publish();
    expect((await bo.status(publishId)).error.code).toBe('token_not_authorized_for_specified_publish_id');
    expect((await bo.status('v_pub_file~v2-1.1')).error.code).toBe('invalid_publish_id');
  });

  test('a draft goes to the inbox of the app, and is no post', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const init = await ann.send('/post/publish/inbox/video/init/', { source_info: aPlan(anMp4.length) });
    const { data } = await init.json();
    await ann.put(data.upload_url, anMp4);
    expect((await ann.status(data.publish_id)).data.status).toBe('SEND_TO_USER_INBOX');
    expect(await tiktok.posts()).toEqual([]);
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
