import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anMp4, aPng } from '../../testing.ts';
import { aPlan, aTikTok, codeOf } from './testing.ts';

describe('TikTok creators', () => {
  test('a public account may show its posts to everyone; a private one to those who follow it', async () => {
    const tiktok = await aTikTok();
    const infoOf = async (handle: string) => {
      const person = await tiktok.person(handle);
      return (await (await person.send('/post/publish/creator_info/query/')).json()).data;
    };
    expect(await infoOf('ann')).toEqual({
      creator_avatar_url: expect.stringMatching(/^https:/),
      creator_username: 'ann',
      creator_nickname: 'ann',
      privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      comment_disabled: false,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: 600,
    });
    expect(await infoOf('private_bo')).toMatchObject({
      privacy_level_options: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      duet_disabled: true,
      max_video_post_duration_sec: 180,
    });
  });

  test.each([
    ['ann', { privacy_level: 'FOLLOWER_OF_CREATOR' }, [403, 'privacy_level_option_mismatch']],
    ['ann', { privacy_level: '' }, [403, 'privacy_level_option_mismatch']],
    ['private_bo', { privacy_level: 'PUBLIC_TO_EVERYONE' }, [403, 'privacy_level_option_mismatch']],
    [
      'unaudited_cy',
      { privacy_level: 'PUBLIC_TO_EVERYONE' },
      [403, 'unaudited_client_can_only_post_to_private_accounts'],
    ],
    ['unaudited_cy', { privacy_level: 'SELF_ONLY' }, [200, 'ok']],
    ['ann', { privacy_level: 'SELF_ONLY', brand_content_toggle: true }, [400, 'invalid_param']],
    ['ann', { disable_comment: 'yes' }, [400, 'invalid_param']],
    ['ann', { video_cover_timestamp_ms: -1 }, [400, 'invalid_param']],
  ])('%s posting with %j', async (handle, info, expected) => {
    const person = await (await aTikTok()).person(handle);
    expect(await codeOf(await person.initVideo(info))).toEqual(expected);
  });

  test('a banned account is told so, by the creator info as a 200', async () => {
    const tiktok = await aTikTok();
    const ann = await tiktok.person('ann');
    await tiktok.sendJson('PATCH', '/_control/accounts', { network: 'tiktok', handle: 'ann', suspended: true });
    const banned = 'spam_risk_user_banned_from_posting';
    expect(await codeOf(await ann.initVideo())).toEqual([403, banned]);
    expect(await codeOf(await ann.send('/post/publish/creator_info/query/'))).toEqual([200, banned]);
  });

  test('with the vendor’s limits: 6 posts a minute, 15 a day', async () => {
    let now = Date.parse('2026-11-15T00:00:00Z');
    const tiktok = await aTikTok({ rateLimits: 'vendor', now: () => now });
    const ann = await tiktok.person('ann');
    for (let count = 1; count <= 6; count += 1) expect((await ann.initVideo()).status).toBe(200);
    expect(await codeOf(await ann.initVideo())).toEqual([429, 'rate_limit_exceeded']);
    for (let count = 7; count <= 15; count += 1) {
      now += 60_000;
      expect((await ann.initVideo()).status).toBe(200);
    }
    now += 60_000;
    expect(await codeOf(await ann.initVideo())).toEqual([403, 'spam_risk_too_many_posts']);
    expect(await codeOf(await ann.send('/post/publish/creator_info/query/'))).toEqual([
      200,
      'spam_risk_too_many_posts',
    ]);
  });

  test('with the vendor’s limits: 5 pending shares, and 5 users of an unaudited application', async () => {
    const tiktok = await aTikTok({ rateLimits: 'vendor' });
    const ann = await tiktok.person('ann');
    const share = () => ann.send('/post/publish/inbox/video/init/', { source_info: aPlan(anMp4.length) });
    for (let count = 1; count <= 5; count += 1) expect((await share()).status).toBe(200);
    expect(await codeOf(await share())).toEqual([403, 'spam_risk_too_many_pending_share']);

    const post = async (number: number) =>
      codeOf(await (await tiktok.person(`unaudited${number}`)).initVideo({ privacy_level: 'SELF_ONLY' }));
    for (let number = 1; number <= 5; number += 1) expect(await post(number)).toEqual([200, 'ok']);
    expect(await post(6)).toEqual([403, 'reached_active_user_cap']);
    expect(await post(1)).toEqual([200, 'ok']);
  });
});

describe('TikTok media by address', () => {
  test('a film is fetched, and can be stopped while it is processed', async () => {
    let now = Date.now();
    const tiktok = await aTikTok({ now: () => now, processingMs: 10_000 });
    const ann = await tiktok.person('ann');
    const host = await aHost({ '/film.mp4': anMp4 });
    const init = async () => {
      const source_info = { source: 'PULL_FROM_URL', video_url: `${host}/film.mp4` };
      return (await (await ann.initVideo({}, source_info)).json()).data;
    };
    const [kept, stopped] = [await init(), await init()];
    expect(kept).toEqual({ publish_id: expect.stringMatching(/^v_pub_url~v2-1\.\d+$/) });
    const cancel = (publish_id: string) => ann.send('/post/publish/cancel/', { publish_id });
    expect(await codeOf(await cancel(stopped.publish_id))).toEqual([200, 'ok']);
    expect((await ann.status(kept.publish_id)).data).toMatchObject({
      status: 'PROCESSING_DOWNLOAD',
      downloaded_bytes: anMp4.length,
    });
    now += 20_000;
    expect((await ann.status(kept.publish_id)).data.status).toBe('PUBLISH_COMPLETE');
    expect((await ann.status(stopped.publish_id)).data).toMatchObject({
      status: 'FAILED',
      fail_reason: 'publish_cancelled',
    });
    expect(await codeOf(await cancel(kept.publish_id))).toEqual([400, 'publish_not_cancellable']);
    expect(await tiktok.posts()).toHaveLength(1);
  });

  test('photos are fetched in order; the description is what people read', async () => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const [one, two] = [aJpeg(1080, 1920), aJpeg(640, 480)];
    const host = await aHost({ '/1': one, '/2': two });
    const { data } = await (
      await ann.initPhotos([`${host}/1`, `${host}/2`], {}, { title: 'Two', description: 'Two photos' })
    ).json();
    expect(data).toEqual({ publish_id: expect.stringMatching(/^p_pub_url~v2\.\d+$/) });
    expect((await ann.status(data.publish_id)).data.status).toBe('PUBLISH_COMPLETE');
    const [post] = await tiktok.posts();
    expect(post).toMatchObject({
      text: 'Two photos',
      url: `https://www.tiktok.com/@ann/photo/${post.id}`,
      media: [
        { kind: 'image', bytes: one.length },
        { kind: 'image', bytes: two.length },
      ],
    });
    expect(post.request.body.source_info.photo_cover_index).toBe(0);
  });

  test.each([
    ['/png', 'file_format_check_failed'],
    ['/text', 'file_format_check_failed'],
    ['/large', 'picture_size_check_failed'],
    ['/missing', 'photo_pull_failed'],
    ['/moved', 'photo_pull_failed'],
  ])('a photo at %s fails after the answer, with %s', async (path, fail_reason) => {
    const tiktok = await aTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const host = await aHost({
      '/ok': aJpeg(640, 480),
      '/png': aPng,
      '/text': Buffer.from('no photo'),
      '/large': aJpeg(1200, 1200),
      '/moved': '/ok',
    });
    const { data } = await (await ann.initPhotos([`${host}/ok`, host + path])).json();
    expect((await ann.status(data.publish_id)).data).toMatchObject({ status: 'FAILED', fail_reason });
    expect(await tiktok.posts()).toEqual([]);
  });

  test.each([
    ['http://media.example.com/a.jpg', [403, 'url_ownership_unverified']],
    ['https://bucket.s3.eu-west-1.amazonaws.com/a.jpg', [403, 'url_ownership_unverified']],
    ['not an address', [400, 'invalid_param']],
  ])('%s cannot be pulled', async (address, expected) => {
    const ann = await (await aTikTok()).person('ann');
    expect(await codeOf(await ann.initPhotos([address]))).toEqual(expected);
    const source_info = { source: 'PULL_FROM_URL', video_url: address };
    expect(await codeOf(await ann.initVideo({}, source_info))).toEqual(expected);
  });

  test.each([
    ['no photos', [], {}, {}],
    ['36 photos', Array.from({ length: 36 }, () => 'https://media.example.com/a.jpg'), {}, {}],
    ['a title of 91', ['https://media.example.com/a.jpg'], {}, { title: 'a'.repeat(91) }],
    ['a description of 4001', ['https://media.example.com/a.jpg'], {}, { description: 'a'.repeat(4001) }],
    ['another media type', ['https://media.example.com/a.jpg'], { media_type: 'VIDEO' }, {}],
    ['no mode', ['https://media.example.com/a.jpg'], { post_mode: '' }, {}],
  ])('a photo post with %s is refused', async (_, images, change, info) => {
    const ann = await (await aTikTok()).person('ann');
    expect(await codeOf(await ann.initPhotos(images, change, info))).toEqual([400, 'invalid_param']);
  });

  test('the cover must be one of the photos', async () => {
    const ann = await (await aTikTok()).person('ann');
    const photo_images = ['https://media.example.com/a.jpg'];
    for (const cover of [{}, { photo_cover_index: 1 }]) {
      const source_info = { source: 'PULL_FROM_URL', photo_images, ...cover };
      expect(await codeOf(await ann.initPhotos([], { source_info }))).toEqual([400, 'invalid_param']);
    }
  });
});

/** Serves files; a text is where a path has moved to. */
async function aHost(files: Record<string, Buffer | string>): Promise<string> {
  const server = createServer((request, response) => {
    const found = files[request.url ?? ''];
    if (typeof found === 'string') response.writeHead(302, { location: found }).end();
    else response.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A JPEG up to its first frame header. */
function aJpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 0, 0, 0, 0]);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  return frame;
}
