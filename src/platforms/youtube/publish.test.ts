import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { output } from 'zod';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf, type Member, platformStage } from '../../../test/support/stages/platform.ts';
import { RetryLater, reconcilingRunner } from '../kit/steps.ts';
import type { Credentials } from './api.ts';
import { connect } from './connect.ts';
import { youtube } from './index.ts';
import type { Post } from './metadata.ts';
import { publish } from './publish.ts';

let clock = Date.parse('2031-02-03T20:00:00Z');
const { sandbox, aMember, aPost, content, media, postsOf } = platformStage(youtube, { now: () => clock });
type Channel = Member<output<typeof Credentials>>;
type Run = ReturnType<typeof aPost>;

/** Runs the post like the engine does, on a clock that jumps to the next run. */
async function toTheEnd(post: Post, run: Run) {
  for (;;) {
    try {
      return await publish(post, run());
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
      clock += error.seconds * 1000;
    }
  }
}

const video = (settings: Parameters<typeof content>[1] = {}) => content('The sea at dawn', settings, [aVideo()]);
const calls = async (method: string, path: string) =>
  (await sandbox().requests()).filter((one) => one.method === method && one.path.includes(path)).length;

/** Calls the API as the channel itself. */
async function asOwner<T>({ credentials }: Channel, path: string, body?: Record<string, unknown>): Promise<T> {
  const response = await fetch(sandbox().route(new URL(`https://www.googleapis.com/youtube/v3${path}`)), {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${credentials.accessToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

async function aPlaylist(channel: Channel) {
  const { id } = await asOwner<{ id: string }>(channel, '/playlists?part=snippet', { snippet: { title: 'Seas' } });
  const videoIds = async () => {
    const path = `/playlistItems?part=contentDetails&playlistId=${id}`;
    const { items } = await asOwner<{ items: { contentDetails: { videoId: string } }[] }>(channel, path);
    return items.map(({ contentDetails }) => contentDetails.videoId);
  };
  return { playlist: { id, platformId: `youtube-${channel.account.id}` }, videoIds };
}

async function thumbnailOf(videoId: string): Promise<string> {
  const response = await fetch(sandbox().route(new URL(`https://i.ytimg.com/vi/${videoId}/maxresdefault.jpg`)));
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex');
}

test.for([[[]], [[aVideo(), aVideo()]]])(
  'a post that is not one video is refused before anything is sent',
  async ([files]) => {
    const member = await aMember();
    const before = (await sandbox().requests()).length;
    const failure = await failureOf(publish(content('Words', {}, files), aPost(member)()));
    expect(failure.kind).toBe('rejected');
    expect(await sandbox().requests()).toHaveLength(before);
  },
);

test('an image is not a video', async () => {
  const post = content('Words', {}, [await anImage()]);
  expect((await failureOf(publish(post, aPost(await aMember())()))).kind).toBe('rejected');
});

test('a video has one address, Shorts too', async () => {
  const { id, url } = await toTheEnd(video(), aPost(await aMember()));
  expect(url).toBe(`https://www.youtube.com/watch?v=${id}`);
});

describe('a playlist', () => {
  test('gets the video once it is processed', async () => {
    const member = await aMember();
    const { playlist, videoIds } = await aPlaylist(member);
    const run = aPost(member);
    await expect(publish(video({ playlist }), run())).rejects.toBeInstanceOf(RetryLater);
    expect(await videoIds()).toEqual([]);
    const { id } = await toTheEnd(video({ playlist }), run);
    expect(await videoIds()).toEqual([id]);
  });

  test('gets the video once, although the connection was lost', async () => {
    const member = await aMember();
    const { playlist, videoIds } = await aPlaylist(member);
    // The first call of this kind only reads.
    await sandbox().fault({ operation: 'other', kind: 'reset_after', skip: 1 });
    const run = aPost(member);
    const { id } = await toTheEnd(video({ playlist }), run);
    expect(await videoIds()).toEqual([id]);
    await toTheEnd(video({ playlist }), run);
    expect(await videoIds()).toEqual([id]);
  });

  test('that was deleted does not fail the post, and is not read again', async () => {
    const member = await aMember();
    const run = aPost(member);
    const post = video({ playlist: { id: 'PLgone', platformId: `youtube-${member.account.id}` } });
    const remote = await toTheEnd(post, run);
    expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    const before = await calls('GET', '/playlistItems');
    expect(await toTheEnd(post, run)).toEqual(remote);
    expect(await calls('GET', '/playlistItems')).toBe(before);
  });
});

describe('a thumbnail', () => {
  const withThumbnail = async () => {
    const image = await anImage({ width: 1280, height: 720 });
    return { image, post: { ...video(), thumbnail: media(image) } };
  };

  test('is shown for the video', async () => {
    const { image, post } = await withThumbnail();
    const { id } = await toTheEnd(post, aPost(await aMember()));
    expect(await thumbnailOf(id)).toBe(image.sha256);
  });

  test('that the channel may not set does not fail the post', async () => {
    const { post } = await withThumbnail();
    const member = await aMember('unverified-ann');
    const before = await calls('POST', '/thumbnails/set');
    const remote = await toTheEnd(post, aPost(member));
    expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    expect(await calls('POST', '/thumbnails/set')).toBe(before + 1);
  });

  test('is tried again half a minute after a server error', async () => {
    const { image, post } = await withThumbnail();
    const run = aPost(await aMember());
    // The upload of the video starts with a call of this kind.
    await sandbox().fault({ operation: 'upload', kind: 'status', status: 503, skip: 1 });
    const began = clock;
    const { id } = await toTheEnd(post, run);
    expect(await thumbnailOf(id)).toBe(image.sha256);
    expect(clock - began).toBeGreaterThanOrEqual(30_000);
  });

  test('is given up after three attempts, and the post is published', async () => {
    const { post } = await withThumbnail();
    const member = await aMember();
    await sandbox().fault({ operation: 'upload', kind: 'status', status: 503, skip: 1, times: 9 });
    const before = await calls('POST', '/thumbnails/set');
    const remote = await toTheEnd(post, aPost(member));
    expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    expect(await calls('POST', '/thumbnails/set')).toBe(before + 3);
  });
});

test('a video is published although its owner revoked the sign-in right after the upload', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'status', kind: 'expired_token', times: 2 });
  const run = aPost(member);
  expect((await failureOf(toTheEnd(video(), run))).kind).toBe('auth');
  const remote = await toTheEnd(video(), run);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a video that is found when the post is given up counts as published, with or without its extras', async () => {
  const member = await aMember();
  const steps = memorySteps();
  const run = aPost(member, steps);
  const post = { ...video({ playlist: { id: 'PL1', platformId: 'youtube-1' } }), thumbnail: media(await anImage()) };
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(post, run()));
  clock += 60_000;
  const remote = await publish(post, { ...run(), step: reconcilingRunner(steps.claim()) });
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('an upload that waited for more than a week starts over and creates one video', async () => {
  const member = await aMember();
  const steps = memorySteps();
  const run = aPost(member, steps);
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(video(), run()));
  clock += 8 * 86_400_000;
  const { credentials } = await connect.refresh!(member.credentials, run());
  const remote = await toTheEnd(video(), aPost({ ...member, credentials }, steps));
  expect(steps.ended()).toEqual(['video', 'session 1', 'session 2']);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});
