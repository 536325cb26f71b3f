import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeMp4, tinyMp4, tinyPng } from '../../../test-media.ts';
import { errorOf, startYouTube, videoBody } from '../testing.ts';

const unit = 262_144;
const video = Buffer.concat([tinyMp4, Buffer.alloc(3 * unit, 7)]);

describe('YouTube uploads', () => {
  test('a video in one request is published by its last byte', async () => {
    let now = Date.now();
    const youtube = await startYouTube({ now: () => now, processingMs: 10_000 });
    const ann = await youtube.channel('ann');
    const started = await ann.start();
    expect([started.status, await started.text()]).toEqual([200, '']);
    const session = started.headers.get('location') ?? '';
    expect(session).toMatch(
      /^https:\/\/www\.googleapis\.com\/upload\/youtube\/v3\/videos\?uploadType=resumable&.*upload_id=/,
    );
    expect(await youtube.posts()).toEqual([]);

    const done = await ann.put(session, tinyMp4);
    const video = await done.json();
    expect([done.status, video]).toMatchObject([
      200,
      {
        kind: 'youtube#video',
        id: expect.stringMatching(/^[\w-]{11}$/),
        snippet: { title: 'Demo', channelId: ann.account.id, tags: ['a', 'b'] },
        status: { uploadStatus: 'uploaded', privacyStatus: 'public', selfDeclaredMadeForKids: false },
      },
    ]);
    const [post] = await youtube.posts();
    expect(post).toMatchObject({
      id: video.id,
      text: 'Hello',
      url: `https://www.youtube.com/watch?v=${video.id}`,
      media: [{ kind: 'video', bytes: tinyMp4.length, sha256: sha256(tinyMp4) }],
      request: { body: videoBody },
    });
    expect(JSON.stringify(post.request.headers)).not.toContain(ann.credentials.accessToken);
    expect(await ann.video(video.id)).toMatchObject({
      status: { uploadStatus: 'uploaded' },
      processingDetails: { processingStatus: 'processing' },
    });
    now += 10_000;
    expect(await ann.video(video.id)).toMatchObject({
      status: { uploadStatus: 'processed' },
      processingDetails: { processingStatus: 'succeeded' },
      statistics: { viewCount: '0', likeCount: '0', commentCount: '0' },
    });
  });

  test('an interrupted upload resumes, and the result can be requested again', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    const total = video.length;
    const session = await ann.open(videoBody, 'part=snippet,status', { 'x-upload-content-length': String(total) });
    const probe = async () => {
      const response = await ann.put(session, undefined, `bytes */${total}`);
      return [response.status, response.headers.get('range'), response.headers.get('location')];
    };
    const send = (first: number, end: number) =>
      ann.put(session, video.subarray(first, end), `bytes ${first}-${end - 1}/${total}`);
    expect(await probe()).toEqual([308, null, null]);
    const first = await send(0, unit);
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${unit - 1}`]);
    expect((await send(0, unit)).headers.get('range')).toBe(`bytes=0-${unit - 1}`);
    expect((await send(2 * unit, 3 * unit)).status).toBe(400);
    expect(await probe()).toEqual([308, `bytes=0-${unit - 1}`, null]);

    const ends = await Promise.all([send(unit, total), send(unit, total)]);
    const ids = await Promise.all(ends.map(async (response) => (await response.json()).id));
    expect(new Set(ids).size).toBe(1);
    const again = await ann.put(session, undefined, `bytes */${total}`);
    expect([again.status, (await again.json()).id]).toEqual([200, ids[0]]);
    expect((await youtube.posts()).map(({ media }: { media: unknown }) => media)).toEqual([
      [{ kind: 'video', bytes: total, sha256: sha256(video) }],
    ]);
  });

  test('every chunk except the last is a multiple of 256 KiB', async () => {
    const ann = await (await startYouTube()).channel('ann');
    const refused = await ann.put(await ann.open(), video.subarray(0, 1000), `bytes 0-999/${video.length}`);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('262144')]);
  });

  test('a size that differs from the announced one or from the bytes is refused', async () => {
    const ann = await (await startYouTube()).channel('ann');
    const session = await ann.open(videoBody, 'part=snippet,status', { 'x-upload-content-length': '1000' });
    expect((await ann.put(session, tinyMp4)).status).toBe(400);
    expect((await ann.put(session, tinyMp4, 'bytes 0-999/1000')).status).toBe(400);
    expect((await ann.put(session, tinyMp4, 'bytes zero')).status).toBe(400);
    expect(await errorOf(await ann.put(session))).toEqual([400, 'mediaBodyRequired']);
  });

  test('a session expires after a week and needs no token, but refuses an invalid one', async () => {
    let now = Date.now();
    const ann = await (await startYouTube({ now: () => now })).channel('ann');
    const session = await ann.open();
    now += 3_600_000;
    expect(await errorOf(await ann.put(session, tinyMp4, undefined, ann.headers))).toEqual([401, 'authError']);
    expect((await ann.put(session, undefined, 'bytes */*')).status).toBe(308);
    expect((await ann.put(`${session}x`, tinyMp4)).status).toBe(404);
    now += 7 * 86_400_000;
    expect((await ann.put(session, tinyMp4)).status).toBe(410);
  });

  test('faults distinguish the publishing request from the uploading ones', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    const session = await ann.open();
    await youtube.fault({ operation: 'publish', kind: 'status', status: 503 });
    const total = video.length;
    expect((await ann.put(session, video.subarray(0, unit), `bytes 0-${unit - 1}/${total}`)).status).toBe(308);
    const rest = () => ann.put(session, video.subarray(unit), `bytes ${unit}-${total - 1}/${total}`);
    expect(await errorOf(await rest())).toEqual([503, 'backendError']);
    expect(await youtube.posts()).toEqual([]);
    expect((await rest()).status).toBe(200);
    const operations = (await youtube.requests('youtube')).map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(['upload', 'upload', 'publish', 'publish']);
  });

  test.each([
    ['an ordered failure', 'ann', tinyMp4, { uploadStatus: 'failed', failureReason: 'conversion' }],
    ['an image', 'ann', tinyPng, { uploadStatus: 'failed', failureReason: 'invalidFile' }],
    ['16 minutes, unverified', 'unverified-ann', makeMp4(960), { uploadStatus: 'rejected', rejectionReason: 'length' }],
  ])('processing fails and nothing is posted: %s', async (title, handle, bytes, status) => {
    const youtube = await startYouTube({ processingMs: 0 });
    const channel = await youtube.channel(handle);
    if (title === 'an ordered failure') await youtube.fault({ kind: 'processing_failed', operation: 'upload' });
    const id = await channel.upload({}, bytes);
    expect((await channel.video(id)).status).toMatchObject(status);
    expect(await youtube.posts()).toEqual([]);
  });

  test('a verified channel may upload 16 minutes', async () => {
    const youtube = await startYouTube({ processingMs: 0 });
    const ann = await youtube.channel('ann');
    expect(await ann.video(await ann.upload({}, makeMp4(960)))).toMatchObject({
      status: { uploadStatus: 'processed' },
      contentDetails: { duration: 'PT960S' },
    });
  });

  const long = 'a'.repeat(101);
  test.each([
    [{ snippet: { title: '' } }, 'invalidTitle'],
    [{ snippet: { title: ' ' } }, 'invalidTitle'],
    [{ snippet: { title: long } }, 'invalidTitle'],
    [{ snippet: { title: 'a < b' } }, 'invalidTitle'],
    [{ snippet: { description: 'a > b' } }, 'invalidDescription'],
    [{ snippet: { description: 'é'.repeat(2501) } }, 'invalidDescription'],
    [{ snippet: { tags: ['a'.repeat(250), 'b'.repeat(250)] } }, 'invalidTags'],
    [{ snippet: { tags: [`${'a'.repeat(497)} b`] } }, 'invalidTags'],
    [{ snippet: { tags: 'a,b' } }, 'invalidTags'],
    [{ snippet: { categoryId: '99' } }, 'invalidCategoryId'],
    [{ status: { privacyStatus: 'friends' } }, 'invalidVideoMetadata'],
    [{ status: { selfDeclaredMadeForKids: 'no' } }, 'invalidVideoMetadata'],
    [{ status: { publishAt: '2030-01-01T00:00:00Z' } }, 'invalidPublishAt'],
    [{ paidProductPlacementDetails: { hasPaidProductPlacement: true } }, 'unexpectedPart'],
  ])(
    'before the first byte, %j is %s',
    async (change: { [part: string]: { [name: string]: string | string[] | boolean } }, reason) => {
      const ann = await (await startYouTube()).channel('ann');
      const { snippet, status, ...more } = change;
      const body = {
        snippet: { ...videoBody.snippet, ...snippet },
        status: { ...videoBody.status, ...status },
        ...more,
      };
      expect(await errorOf(await ann.start(body))).toEqual([400, reason]);
    },
  );

  test.each([
    { title: 'é'.repeat(100) },
    { description: 'é'.repeat(2500) },
    { tags: ['a'.repeat(249), 'b'.repeat(250)] },
    { tags: [`${'a'.repeat(496)} b`] },
  ])('metadata of the maximum length are accepted', async (snippet) => {
    const ann = await (await startYouTube()).channel('ann');
    expect((await ann.start({ snippet: { ...videoBody.snippet, ...snippet } })).status).toBe(200);
  });

  test('a scheduled video is private until its time', async () => {
    let now = Date.parse('2026-11-15T10:00:00Z');
    const youtube = await startYouTube({ now: () => now });
    const ann = await youtube.channel('ann');
    const id = await ann.upload({ status: { privacyStatus: 'private', publishAt: '2026-11-15T10:30:00Z' } });
    const look = async () => (await ann.video(id, 'status')).status;
    expect(await look()).toMatchObject({ privacyStatus: 'private', publishAt: '2026-11-15T10:30:00.000Z' });
    now += 30 * 60_000;
    expect(await look()).toMatchObject({ privacyStatus: 'public' });
  });

  test('every video of an unaudited app stays private', async () => {
    const channel = await (await startYouTube()).channel('unaudited-ann');
    const id = await channel.upload({ status: { privacyStatus: 'public' } });
    expect((await channel.video(id, 'status')).status.privacyStatus).toBe('private');
  });

  test('a Google account without a channel has no items and cannot upload', async () => {
    const person = await (await startYouTube()).channel('nochannel');
    const found = await (await person.get('/channels?part=id&mine=true')).json();
    expect([found.pageInfo.totalResults, found.items]).toEqual([0, undefined]);
    expect(await errorOf(await person.start())).toEqual([401, 'youtubeSignupRequired']);
  });

  test('with the vendor’s limits, the app has 100 uploads a day until midnight in California', async () => {
    let now = Date.parse('2026-11-15T08:00:00Z');
    const youtube = await startYouTube({ rateLimits: 'vendor', now: () => now });
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    for (let count = 1; count <= 50; count += 1) {
      expect((await ann.start()).status).toBe(200);
      expect((await bob.start()).status).toBe(200);
    }
    expect(await errorOf(await bob.start())).toEqual([403, 'quotaExceeded']);
    now = Date.parse('2026-11-16T07:59:59Z');
    const later = await youtube.channel('bob');
    expect(await errorOf(await later.start())).toEqual([403, 'quotaExceeded']);
    now += 1000;
    expect((await later.start()).status).toBe(200);
  });

  test('with the vendor’s limits, an unverified channel uploads less, and a write costs 50 units', async () => {
    const youtube = await startYouTube({ rateLimits: 'vendor' });
    const [ann, newcomer] = [await youtube.channel('ann'), await youtube.channel('unverified-bo')];
    for (let count = 1; count <= 10; count += 1) expect((await newcomer.start()).status).toBe(200);
    expect(await errorOf(await newcomer.start())).toEqual([400, 'uploadLimitExceeded']);
    const create = () => ann.send('POST', '/playlists?part=snippet', { snippet: { title: 'List' } });
    for (let count = 1; count <= 200; count += 1) expect((await create()).status).toBe(200);
    expect(await errorOf(await create())).toEqual([403, 'quotaExceeded']);
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
