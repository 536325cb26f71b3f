import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeJpeg, tinyMp4, tinyPng } from '../../../test-media.ts';
import { errorOf, startTikTok } from '../testing.ts';

describe('TikTok creators', () => {
  test('a public account can post to everyone, a private one to its followers', async () => {
    const tiktok = await startTikTok();
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
    const person = await (await startTikTok()).person(handle);
    expect(await errorOf(await person.initVideo(info))).toEqual(expected);
  });

  test('a banned account gets an error, from creator info with status 200', async () => {
    const tiktok = await startTikTok();
    const ann = await tiktok.person('ann');
    await tiktok.sendJson('PATCH', '/_control/accounts', { network: 'tiktok', handle: 'ann', suspended: true });
    const banned = 'spam_risk_user_banned_from_posting';
    expect(await errorOf(await ann.initVideo())).toEqual([403, banned]);
    expect(await errorOf(await ann.send('/post/publish/creator_info/query/'))).toEqual([200, banned]);
  });

  test('with the vendor’s limits, an account posts 6 times a minute and 15 times a day', async () => {
    let now = Date.parse('2026-11-15T00:00:00Z');
    const tiktok = await startTikTok({ rateLimits: 'vendor', now: () => now });
    const ann = await tiktok.person('ann');
    for (let count = 1; count <= 6; count += 1) expect((await ann.initVideo()).status).toBe(200);
    expect(await errorOf(await ann.initVideo())).toEqual([429, 'rate_limit_exceeded']);
    for (let count = 7; count <= 15; count += 1) {
      now += 60_000;
      expect((await ann.initVideo()).status).toBe(200);
    }
    now += 60_000;
    expect(await errorOf(await ann.initVideo())).toEqual([403, 'spam_risk_too_many_posts']);
    expect(await errorOf(await ann.send('/post/publish/creator_info/query/'))).toEqual([
      200,
      'spam_risk_too_many_posts',
    ]);
  });

  test('with the vendor’s limits, an unaudited app posts for 5 users a day', async () => {
    const tiktok = await startTikTok({ rateLimits: 'vendor' });
    const post = async (number: number) =>
      errorOf(await (await tiktok.person(`unaudited${number}`)).initVideo({ privacy_level: 'SELF_ONLY' }));
    for (let number = 1; number <= 5; number += 1) expect(await post(number)).toEqual([200, 'ok']);
    expect(await post(6)).toEqual([403, 'reached_active_user_cap']);
    expect(await post(1)).toEqual([200, 'ok']);
  });
});

describe('TikTok media by address', () => {
  test('a video is fetched and then processed', async () => {
    let now = Date.now();
    const tiktok = await startTikTok({ now: () => now, processingMs: 10_000 });
    const ann = await tiktok.person('ann');
    const host = await startHost({ '/video.mp4': tinyMp4 });
    const init = async () => {
      const source_info = { source: 'PULL_FROM_URL', video_url: `${host}/video.mp4` };
      return (await (await ann.initVideo({}, source_info)).json()).data;
    };
    const { publish_id } = await init();
    expect(publish_id).toMatch(/^v_pub_url~v2-1\.\d+$/);
    expect((await ann.status(publish_id)).data).toMatchObject({
      status: 'PROCESSING_DOWNLOAD',
      downloaded_bytes: tinyMp4.length,
    });
    now += 20_000;
    expect((await ann.status(publish_id)).data.status).toBe('PUBLISH_COMPLETE');
    expect(await tiktok.posts()).toHaveLength(1);
  });

  test('photos are fetched in order, and the description is the visible text', async () => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const [one, two] = [makeJpeg(1080, 1920), makeJpeg(640, 480)];
    const host = await startHost({ '/1': one, '/2': two });
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
  ])('a photo at %s fails after the response, with %s', async (path, fail_reason) => {
    const tiktok = await startTikTok({ processingMs: 0 });
    const ann = await tiktok.person('ann');
    const host = await startHost({
      '/ok': makeJpeg(640, 480),
      '/png': tinyPng,
      '/text': Buffer.from('no photo'),
      '/large': makeJpeg(1200, 1200),
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
    const ann = await (await startTikTok()).person('ann');
    expect(await errorOf(await ann.initPhotos([address]))).toEqual(expected);
    const source_info = { source: 'PULL_FROM_URL', video_url: address };
    expect(await errorOf(await ann.initVideo({}, source_info))).toEqual(expected);
  });

  test.each([
    ['no photos', [], {}, {}],
    ['36 photos', Array.from({ length: 36 }, () => 'https://media.example.com/a.jpg'), {}, {}],
    ['a title of 91', ['https://media.example.com/a.jpg'], {}, { title: 'a'.repeat(91) }],
    ['a description of 4001', ['https://media.example.com/a.jpg'], {}, { description: 'a'.repeat(4001) }],
    ['another media type', ['https://media.example.com/a.jpg'], { media_type: 'VIDEO' }, {}],
    ['no mode', ['https://media.example.com/a.jpg'], { post_mode: '' }, {}],
  ])('a photo post with %s is refused', async (_, images, change, info) => {
    const ann = await (await startTikTok()).person('ann');
    expect(await errorOf(await ann.initPhotos(images, change, info))).toEqual([400, 'invalid_param']);
  });

  test('the cover must be one of the photos', async () => {
    const ann = await (await startTikTok()).person('ann');
    const photo_images = ['https://media.example.com/a.jpg'];
    for (const cover of [{}, { photo_cover_index: 1 }]) {
      const source_info = { source: 'PULL_FROM_URL', photo_images, ...cover };
      expect(await errorOf(await ann.initPhotos([], { source_info }))).toEqual([400, 'invalid_param']);
    }
  });
});

/** Serves files. A string is the path that the request is redirected to. */
async function startHost(files: Record<string, Buffer | string>): Promise<string> {
  const server = createServer((request, response) => {
    const found = files[request.url ?? ''];
    if (typeof found === 'string') response.writeHead(302, { location: found }).end();
    else response.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
