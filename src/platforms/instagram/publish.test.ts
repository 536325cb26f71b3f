import { describe, expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import type { Json } from '../../lib/json.ts';
import { platformClient } from '../kit/client.ts';
import type { Media } from '../kit/index.ts';
import { NothingFound, RetryLater, reconcilingRunner, stepRunner, until } from '../kit/steps.ts';
import type { Post } from './draft.ts';
import { instagram } from './index.ts';
import { publish } from './publish.ts';

type Answer = Json | { status: number; error: Record<string, Json> } | 'hang up';
interface Asked {
  call: string;
  query: Record<string, string>;
  form: Record<string, string>;
}

const begun = Date.parse('2031-02-03T04:05:06Z');

/** A network that gives these answers, call by call; the last one of each stays. */
async function vendor(answers: Record<string, Answer[]>) {
  const asked: Asked[] = [];
  const script = new Map(Object.entries({ ...willing, ...answers }).map(([call, list]) => [call, [...list]]));
  const server = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://graph.instagram.com');
    const call = `${request.method} ${pathname.replace('/v25.0', '')}`;
    const form = new URLSearchParams(await new Response(request).text());
    asked.push({ call, query: Object.fromEntries(searchParams), form: Object.fromEntries(form) });
    const list = script.get(call) ?? [];
    const answer = (list.length > 1 ? list.shift() : list[0]) ?? { status: 404, error: { message: call, code: 100 } };
    if (answer === 'hang up') return void request.socket.destroy();
    const refused = typeof answer === 'object' && 'error' in answer ? Number(Object(answer).status) : 200;
    response.writeHead(refused).end(JSON.stringify(answer));
  });
  const steps = memorySteps();
  const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', userId: '42' };
  const clock = { now: begun };
  const run = (post: Post, runner = stepRunner) => {
    const client = platformClient(server.access(), 'instagram', new AbortController().signal);
    const now = () => new Date(clock.now);
    const step = runner(steps.claim());
    return publish(post, { ...client, now, account, credentials, postId: 'p', step, until });
  };
  const count = (call: string) => asked.filter((one) => one.call === call).length;
  const sent = () => asked.filter(({ call }) => call === 'POST /42/media').map(({ form }) => form);
  return { ...server, asked, clock, steps, run, count, sent };
}

const status = (status_code: string, words = '') => ({ status_code, status: words });
const error = (code: number, error_subcode: number, message = 'No.') => ({
  status: 400,
  error: { code, error_subcode, message },
});
const medium = (id: string, caption: string, timestamp = '2031-02-03T04:05:10+0000') => ({
  id,
  caption,
  timestamp,
  permalink: `https://www.instagram.com/p/${id}/`,
});
const quota = (used: number) => ({ data: [{ quota_usage: used, config: { quota_total: 50, quota_duration: 86400 } }] });

const willing: Record<string, Answer[]> = {
  'GET /42/media': [{ data: [medium('old', 'Hello')] }],
  'GET /42/stories': [{ data: [] }],
  'POST /42/media': [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }, { id: 'c4' }],
  'GET /c1': [status('FINISHED')],
  'GET /c2': [status('FINISHED')],
  'GET /c3': [status('FINISHED')],
  'GET /42/content_publishing_limit': [quota(2)],
  'POST /42/media_publish': [{ id: 'm1' }],
  'GET /m1': [{ id: 'm1', permalink: 'https://www.instagram.com/p/abc/' }],
};
const published = { id: 'm1', url: 'https://www.instagram.com/p/abc/' };

const file = (kind: 'image' | 'video', name: string, altText = ''): Media => ({
  kind,
  type: kind === 'image' ? 'image/jpeg' : 'video/mp4',
  altText,
  width: 640,
  height: 480,
  seconds: kind === 'video' ? 4 : null,
  blob: async () => new Blob(),
  url: async () => new URL(`https://media.example/${name}?a=1&b=2`),
});
const image = file('image', '1.jpg');
const video = file('video', '2.mp4');
const post = (media: Media[], settings: Partial<Post['settings']> = {}): Post => ({
  text: 'Hello',
  media,
  thumbnail: null,
  settings: { videoType: 'REELS', ...settings },
});

describe('what is sent', () => {
  const sentFor = async (given: Post) => {
    await using meta = await vendor({});
    expect(await meta.run(given)).toEqual(published);
    return meta.sent();
  };

  test('an image has its caption and its description', async () => {
    expect(await sentFor(post([file('image', '1.jpg', 'A chart')]))).toEqual([
      { image_url: 'https://media.example/1.jpg?a=1&b=2', alt_text: 'A chart', caption: 'Hello' },
    ]);
  });

  test('a lone video is a Reel that is shared to the feed', async () => {
    expect(await sentFor(post([video]))).toEqual([
      {
        media_type: 'REELS',
        video_url: 'https://media.example/2.mp4?a=1&b=2',
        caption: 'Hello',
        share_to_feed: 'true',
      },
    ]);
  });

  test('a Reel has its cover, and stays off the feed when told to', async () => {
    const settings = { shareToFeed: false, coverUrl: 'https://media.example/cover.jpg' };
    expect(await sentFor(post([video], settings))).toMatchObject([
      { share_to_feed: 'false', cover_url: 'https://media.example/cover.jpg' },
    ]);
  });

  test('settings of a Reel do not go with an image', async () => {
    const settings = { shareToFeed: false, coverUrl: 'https://media.example/cover.jpg' };
    expect(await sentFor(post([image], settings))).toEqual([
      { image_url: 'https://media.example/1.jpg?a=1&b=2', caption: 'Hello' },
    ]);
  });

  test.for([
    [file('image', '1.jpg', 'A chart'), { image_url: 'https://media.example/1.jpg?a=1&b=2' }],
    [video, { video_url: 'https://media.example/2.mp4?a=1&b=2' }],
  ] as const)('a story is nothing but its medium: $0.kind', async ([media, source]) => {
    const settings = { videoType: 'STORIES', coverUrl: 'https://media.example/cover.jpg' } as const;
    expect(await sentFor(post([media], settings))).toEqual([{ media_type: 'STORIES', ...source }]);
  });

  test('a carousel has its items first, of both kinds, in order', async () => {
    expect(await sentFor(post([file('image', '1.jpg', 'A chart'), video]))).toEqual([
      { is_carousel_item: 'true', image_url: 'https://media.example/1.jpg?a=1&b=2', alt_text: 'A chart' },
      { is_carousel_item: 'true', media_type: 'VIDEO', video_url: 'https://media.example/2.mp4?a=1&b=2' },
      { media_type: 'CAROUSEL', children: 'c1,c2', caption: 'Hello' },
    ]);
  });

  test('no caption is none, not an empty one', async () => {
    expect(await sentFor({ ...post([image]), text: '' })).toEqual([
      { image_url: 'https://media.example/1.jpg?a=1&b=2' },
    ]);
  });

  test('a story of several is refused, also before publishing', async () => {
    await using meta = await vendor({});
    const story = post([image, video], { videoType: 'STORIES' });
    expect(await failureOf(meta.run(story))).toMatchObject({ kind: 'rejected' });
    expect(meta.asked).toEqual([]);
    const nobody = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
    expect(instagram.validate?.(story, nobody)).toMatchObject([{ code: 'MEDIA_COUNT_EXCEEDED', field: 'media' }]);
    expect(instagram.validate?.(post([image, video]), nobody)).toEqual([]);
    expect(instagram.validate?.(post([video], { videoType: 'STORIES' }), nobody)).toEqual([]);
  });
});

describe('waiting', () => {
  test('a video is published once Instagram is done with it, from one container', async () => {
    await using meta = await vendor({ 'GET /c1': [status('IN_PROGRESS'), status('FINISHED')] });
    await expect(meta.run(post([video]))).rejects.toBeInstanceOf(RetryLater);
    expect(meta.count('POST /42/media_publish')).toBe(0);
    expect(await meta.run(post([video]))).toEqual(published);
    expect(meta.sent()).toHaveLength(1);
  });

  test('a carousel is made once all of its items are ready', async () => {
    await using meta = await vendor({ 'GET /c2': [status('IN_PROGRESS'), status('FINISHED')] });
    await expect(meta.run(post([image, video]))).rejects.toBeInstanceOf(RetryLater);
    expect(meta.sent()).toHaveLength(2);
    expect(await meta.run(post([image, video]))).toEqual(published);
    expect(meta.sent()).toHaveLength(3);
  });

  test('goes on when Instagram says only on publishing that it is not ready', async () => {
    await using meta = await vendor({ 'POST /42/media_publish': [error(9007, 2207027), { id: 'm1' }] });
    await expect(meta.run(post([image]))).rejects.toBeInstanceOf(RetryLater);
    expect(await meta.run(post([image]))).toEqual(published);
  });

  test('ends after an hour', async () => {
    await using meta = await vendor({ 'GET /c1': [status('IN_PROGRESS', 'In Progress')] });
    await expect(meta.run(post([video]))).rejects.toBeInstanceOf(RetryLater);
    meta.clock.now += 3_600_001;
    const failure = await failureOf(meta.run(post([video])));
    expect(failure).toMatchObject({ kind: 'unavailable', reason: 'In Progress', mayHaveHappened: false });
  });

  test('a post that is out asks nothing more of the network', async () => {
    await using meta = await vendor({});
    await meta.run(post([image, video]));
    const before = meta.asked.length;
    expect(await meta.run(post([image, video]))).toEqual(published);
    expect(meta.asked).toHaveLength(before);
  });
});

describe('a container', () => {
  test('that failed over the media is a refusal with Instagram’s words', async () => {
    const words = 'Error: Media upload has failed with error code 2207026';
    await using meta = await vendor({ 'GET /c1': [status('ERROR', words)] });
    expect(await failureOf(meta.run(post([video])))).toMatchObject({ kind: 'rejected', reason: words });
    expect(meta.steps.open()).toEqual([]);
  });

  test('that expired makes place for another', async () => {
    await using meta = await vendor({ 'GET /c1': [status('EXPIRED')] });
    expect(await meta.run(post([image]))).toEqual(published);
    expect(meta.sent()).toHaveLength(2);
    expect(meta.asked.filter(({ call }) => call === 'POST /42/media_publish')).toMatchObject([
      { form: { creation_id: 'c2' } },
    ]);
  });

  test('of a carousel that expired makes place for another carousel', async () => {
    await using meta = await vendor({ 'GET /c2': [status('EXPIRED')], 'GET /c4': [status('FINISHED')] });
    await meta.run(post([image, video])).catch(() => null);
    expect(meta.sent().map(({ children }) => children)).toEqual([undefined, undefined, undefined, undefined, 'c3,c4']);
  });

  test('is not made forever', async () => {
    const expired = status('EXPIRED', 'Expired');
    await using meta = await vendor({ 'GET /c1': [expired], 'GET /c2': [expired], 'GET /c3': [expired] });
    expect(await failureOf(meta.run(post([image])))).toMatchObject({ kind: 'unavailable', reason: 'Expired' });
    expect(meta.sent()).toHaveLength(3);
  });
});

describe('never twice', () => {
  const inDoubt = async (answers: Record<string, Answer[]>, given = post([image])) => {
    const made = await vendor({ 'POST /42/media_publish': ['hang up'], ...answers });
    expect((await failureOf(made.run(given))).mayHaveHappened).toBe(true);
    return made;
  };

  test('a published container leads to the oldest of the new posts with its caption', async () => {
    const list = { data: ['m4', 'm3', 'm2', 'old'].map((id) => medium(id, id === 'm2' ? 'Other' : ' Hello\n')) };
    await using meta = await inDoubt({
      'GET /42/media': [{ data: [medium('old', 'Hello')] }, list],
      'GET /c1': [status('FINISHED'), status('PUBLISHED')],
    });
    expect(await meta.run(post([image]))).toEqual({ id: 'm3', url: 'https://www.instagram.com/p/m3/' });
    expect(meta.count('POST /42/media_publish')).toBe(1);
  });

  test('a post from before is not taken for it, although the one that marked it is gone', async () => {
    const list = { data: [medium('older', 'Hello', '2031-02-03T04:00:00+0000')] };
    await using meta = await inDoubt({
      'GET /42/media': [{ data: [medium('old', 'Hello')] }, list],
      'GET /c1': [status('FINISHED'), status('PUBLISHED')],
    });
    expect(await failureOf(meta.run(post([image])))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  });

  test('a post that Instagram does not list yet stays in doubt until it does', async () => {
    const before = { data: [medium('old', 'Hello')] };
    await using meta = await inDoubt({
      'GET /42/media': [before, before, { data: [medium('m2', 'Hello'), medium('old', 'Hello')] }],
      'GET /c1': [status('FINISHED'), status('PUBLISHED')],
    });
    expect(await failureOf(meta.run(post([image])))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    expect(meta.steps.open()).toEqual(['post']);
    expect(await meta.run(post([image]))).toMatchObject({ id: 'm2' });
    expect(meta.count('POST /42/media_publish')).toBe(1);
  });

  test('a story is looked for among the stories, where there are no captions', async () => {
    const story = {
      id: 's2',
      permalink: 'https://www.instagram.com/stories/ann/s2',
      timestamp: '2031-02-03T04:05:10+0000',
    };
    const given = post([image], { videoType: 'STORIES' });
    const answers = {
      'GET /42/stories': [{ data: [] }, { data: [story] }],
      'GET /c1': [status('FINISHED'), status('PUBLISHED')],
    };
    await using meta = await inDoubt(answers, given);
    expect(await meta.run(given)).toEqual({ id: 's2', url: story.permalink });
  });

  test('a container that is still to be published is published by the next run', async () => {
    await using meta = await inDoubt({ 'POST /42/media_publish': ['hang up', { id: 'm1' }] });
    expect(await meta.run(post([image]))).toEqual(published);
    expect(meta.sent()).toHaveLength(1);
  });

  test('an error although the post went out is none', async () => {
    await using meta = await vendor({
      'POST /42/media_publish': [error(-1, 2207001)],
      'GET /42/media': [{ data: [] }, { data: [medium('m2', 'Hello')] }],
      'GET /c1': [status('FINISHED'), status('PUBLISHED')],
    });
    expect(await meta.run(post([image]))).toMatchObject({ id: 'm2' });
  });

  test('an error is what it is when the container says nothing else', async () => {
    await using meta = await vendor({ 'POST /42/media_publish': [error(100, 0, 'Bad caption')] });
    expect(await failureOf(meta.run(post([image])))).toMatchObject({ kind: 'rejected', reason: 'Bad caption' });
    expect(meta.steps.open()).toEqual([]);
  });

  test('after one that expired, it is the second container that is asked about', async () => {
    await using meta = await inDoubt({
      'GET /c1': [status('EXPIRED')],
      'GET /c2': [status('FINISHED'), status('PUBLISHED')],
      'GET /42/media': [{ data: [] }, { data: [] }, { data: [medium('m2', 'Hello')] }],
    });
    expect(await meta.run(post([image]), reconcilingRunner)).toMatchObject({ id: 'm2' });
    expect(meta.count('POST /42/media_publish')).toBe(1);
  });

  test('giving up on a container that was not published is proof that nothing happened', async () => {
    await using meta = await inDoubt({});
    await expect(meta.run(post([image]), reconcilingRunner)).rejects.toBeInstanceOf(NothingFound);
    expect(meta.count('POST /42/media_publish')).toBe(1);
  });
});

test('an account that has published its share of the day waits, and nothing is sent', async () => {
  await using meta = await vendor({ 'GET /42/content_publishing_limit': [quota(50), quota(49)] });
  expect(await failureOf(meta.run(post([image])))).toMatchObject({
    kind: 'rate_limited',
    retryAfterSeconds: 3600,
    reason: '50 of 50 posts',
    mayHaveHappened: false,
  });
  expect(meta.count('POST /42/media_publish')).toBe(0);
  expect(await meta.run(post([image]))).toEqual(published);
});

test('a post whose address cannot be read is out nevertheless', async () => {
  await using meta = await vendor({ 'GET /m1': [{ status: 503, error: { message: 'Later' } }] });
  expect(await meta.run(post([image]))).toEqual({ id: 'm1', url: null });
});
