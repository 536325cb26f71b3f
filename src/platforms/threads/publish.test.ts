import { describe, expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import type { Json } from '../../lib/json.ts';
import { platformClient } from '../kit/client.ts';
import type { Media } from '../kit/index.ts';
import { RetryLater, reconcilingRunner, stepRunner, until } from '../kit/steps.ts';
import { comment } from './comment.ts';
import type { Post } from './draft.ts';
import { publish, publishThread } from './publish.ts';

type Answer = Json | 'hang up';
interface Asked {
  call: string;
  query: Record<string, string>;
  form: Record<string, string>;
}

/** A network that gives these answers, call by call; the last one of each stays. */
async function vendor(answers: Record<string, Answer[]> = {}) {
  const asked: Asked[] = [];
  const script = new Map(Object.entries({ ...willing, ...answers }).map(([call, list]) => [call, [...list]]));
  const server = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://graph.threads.net');
    const call = `${request.method} ${pathname.replace('/v1.0', '')}`;
    const form = new URLSearchParams(await new Response(request).text());
    asked.push({ call, query: Object.fromEntries(searchParams), form: Object.fromEntries(form) });
    const list = script.get(call) ?? [];
    const answer = (list.length > 1 ? list.shift() : list[0]) ?? error(100, 33, call);
    if (answer === 'hang up') return void request.socket.destroy();
    const isRefusal = typeof answer === 'object' && 'error' in answer;
    response.writeHead(isRefusal ? 400 : 200).end(JSON.stringify(answer));
  });
  const steps = memorySteps();
  const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', userId: '42' };
  const clock = { now: Date.parse('2031-02-03T04:05:06Z') };
  const run = (runner = stepRunner) => {
    const client = platformClient(server.access(), 'threads', new AbortController().signal);
    const now = () => new Date(clock.now);
    return { ...client, now, account, credentials, postId: 'p', step: runner(steps.claim()), until };
  };
  const sentTo = (call: string) => asked.filter((one) => one.call === call).map(({ form }) => form);
  return { ...server, asked, clock, steps, run, sentTo };
}

const status = (state: string, error_message?: string) => ({ status: state, ...(error_message && { error_message }) });
const error = (code: number, error_subcode: number, message = 'No.') => ({ error: { code, error_subcode, message } });
const listed = (id: string, text: string, more: Record<string, Json> = {}) => ({
  id,
  text,
  timestamp: '2031-02-03T04:05:10+0000',
  permalink: `https://www.threads.com/@ann/post/${id}`,
  ...more,
});
const finished = [status('FINISHED')];
const quota = {
  quota_usage: 4,
  config: { quota_total: 250 },
  reply_quota_usage: 1,
  reply_config: { quota_total: 1000 },
};
const scopes = (...names: string[]) => ({ data: { is_valid: true, scopes: names } });
const address = (id: string) => ({ id, permalink: `https://www.threads.com/@ann/post/${id}` });

const willing: Record<string, Answer[]> = {
  'GET /debug_token': [scopes('threads_basic', 'threads_content_publish', 'threads_manage_replies')],
  'GET /me/threads': [{ data: [listed('old', 'Hello')] }],
  'POST /42/threads': [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }, { id: 'c4' }],
  'GET /c1': finished,
  'GET /c2': finished,
  'GET /c3': finished,
  'GET /42/threads_publishing_limit': [{ data: [quota] }],
  'POST /42/threads_publish': [{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }],
  'GET /m1': [address('m1')],
  'GET /m2': [address('m2')],
  'GET /m3': [address('m3')],
};
const remote = (id: string) => ({ id, url: `https://www.threads.com/@ann/post/${id}` });

const file = (kind: 'image' | 'video', name: string, altText = ''): Media => ({
  kind,
  type: kind === 'image' ? 'image/png' : 'video/mp4',
  altText,
  width: 640,
  height: 480,
  seconds: kind === 'video' ? 4 : null,
  blob: async () => new Blob(),
  url: async () => new URL(`https://media.example/${name}?a=1&b=2`),
});
const post = (text: string, media: Media[] = [], replyControl: Post['settings']['replyControl'] = ''): Post => ({
  text,
  media,
  thumbnail: null,
  settings: { replyControl },
});

describe('what is sent', () => {
  const sentFor = async (given: Post) => {
    await using meta = await vendor();
    expect(await publish(given, meta.run())).toEqual(remote('m1'));
    return meta.sentTo('POST /42/threads');
  };

  test('a text says who may reply only when told', async () => {
    expect(await sentFor(post('Hello'))).toEqual([{ media_type: 'TEXT', text: 'Hello' }]);
    expect(await sentFor(post('Hello', [], 'everyone'))).toEqual([
      { media_type: 'TEXT', text: 'Hello', reply_control: 'everyone' },
    ]);
  });

  test.for([
    [file('image', '1.png', 'A chart'), { media_type: 'IMAGE', image_url: 'https://media.example/1.png?a=1&b=2' }],
    [file('video', '2.mp4', 'A chart'), { media_type: 'VIDEO', video_url: 'https://media.example/2.mp4?a=1&b=2' }],
  ] as const)('one medium goes with its description and the text: $0.kind', async ([media, source]) => {
    expect(await sentFor(post('Look', [media]))).toEqual([{ ...source, text: 'Look', alt_text: 'A chart' }]);
  });

  test('several are a carousel, its items first', async () => {
    expect(
      await sentFor(post('Two', [file('image', '1.png', 'A chart'), file('video', '2.mp4')], 'mentioned_only')),
    ).toEqual([
      {
        media_type: 'IMAGE',
        image_url: 'https://media.example/1.png?a=1&b=2',
        alt_text: 'A chart',
        is_carousel_item: 'true',
      },
      { media_type: 'VIDEO', video_url: 'https://media.example/2.mp4?a=1&b=2', is_carousel_item: 'true' },
      { media_type: 'CAROUSEL', children: 'c1,c2', text: 'Two', reply_control: 'mentioned_only' },
    ]);
  });
});

describe('waiting', () => {
  test('a post goes out once Threads is done with it, from one container', async () => {
    await using meta = await vendor({ 'GET /c1': [status('IN_PROGRESS'), ...finished] });
    await expect(publish(post('Hello'), meta.run())).rejects.toBeInstanceOf(RetryLater);
    expect(meta.sentTo('POST /42/threads_publish')).toEqual([]);
    expect(await publish(post('Hello'), meta.run())).toEqual(remote('m1'));
    expect(meta.sentTo('POST /42/threads')).toHaveLength(1);
  });

  test('goes on when Threads says only on publishing that it is not ready', async () => {
    await using meta = await vendor({ 'POST /42/threads_publish': [error(24, 4279009), { id: 'm1' }] });
    await expect(publish(post('Hello'), meta.run())).rejects.toBeInstanceOf(RetryLater);
    expect(await publish(post('Hello'), meta.run())).toEqual(remote('m1'));
  });

  test('ends after half an hour', async () => {
    await using meta = await vendor({ 'GET /c1': [status('IN_PROGRESS')] });
    await expect(publish(post('Hello'), meta.run())).rejects.toBeInstanceOf(RetryLater);
    meta.clock.now += 30 * 60_000 + 1;
    expect(await failureOf(publish(post('Hello'), meta.run()))).toMatchObject({ kind: 'unavailable' });
    expect(meta.steps.open()).toEqual([]);
  });
});

describe('a container', () => {
  test('that failed over the media is a refusal', async () => {
    await using meta = await vendor({ 'GET /c1': [status('ERROR', 'INVALID_DURATION')] });
    const failure = await failureOf(publish(post('Long', [file('video', '2.mp4')]), meta.run()));
    expect(failure).toMatchObject({ kind: 'rejected', reason: 'INVALID_DURATION' });
  });

  test.for([status('EXPIRED'), status('ERROR', 'FAILED_DOWNLOADING_VIDEO'), status('ERROR', 'UNKNOWN')])(
    'in the state %o makes place for another',
    async (state) => {
      await using meta = await vendor({ 'GET /c1': [state] });
      expect(await publish(post('Hello'), meta.run())).toEqual(remote('m1'));
      expect(meta.sentTo('POST /42/threads_publish')).toEqual([{ creation_id: 'c2' }]);
    },
  );

  test('is not made forever', async () => {
    const expired = [status('EXPIRED')];
    await using meta = await vendor({ 'GET /c1': expired, 'GET /c2': expired, 'GET /c3': expired });
    expect(await failureOf(publish(post('Hello'), meta.run()))).toMatchObject({ kind: 'unavailable' });
    expect(meta.sentTo('POST /42/threads')).toHaveLength(3);
  });
});

describe('a thread', () => {
  const parts = [post('One', [], 'mentioned_only'), post('Two', [], 'mentioned_only'), post('Three')] as const;

  test('is a chain, and only its head says who may reply', async () => {
    await using meta = await vendor();
    expect(await publishThread(parts, meta.run())).toEqual([remote('m1'), remote('m2'), remote('m3')]);
    expect(meta.sentTo('POST /42/threads')).toEqual([
      { media_type: 'TEXT', text: 'One', reply_control: 'mentioned_only' },
      { media_type: 'TEXT', text: 'Two', reply_to_id: 'm1' },
      { media_type: 'TEXT', text: 'Three', reply_to_id: 'm2' },
    ]);
  });

  test('asks nothing more of the network about parts that are out', async () => {
    await using meta = await vendor({ 'GET /c3': [status('IN_PROGRESS'), ...finished] });
    await expect(publishThread(parts, meta.run())).rejects.toBeInstanceOf(RetryLater);
    const before = meta.asked.length;
    await publishThread(parts, meta.run());
    expect(meta.asked.slice(before).map(({ call }) => call)).toEqual([
      'GET /c3',
      'POST /42/threads_publish',
      'GET /m3',
    ]);
  });

  test('waits for a part that Threads does not know everywhere yet', async () => {
    const made = [{ id: 'c1' }, error(24, 4279009), { id: 'c2' }, { id: 'c3' }];
    await using meta = await vendor({ 'POST /42/threads': made });
    await expect(publishThread(parts, meta.run())).rejects.toBeInstanceOf(RetryLater);
    expect(await publishThread(parts, meta.run())).toHaveLength(3);
  });

  test('is not begun by who may not reply', async () => {
    await using meta = await vendor({ 'GET /debug_token': [scopes('threads_basic', 'threads_content_publish')] });
    expect(await failureOf(publishThread(parts, meta.run()))).toMatchObject({
      kind: 'rejected',
      code: 'THREADS_PERMISSION_REQUIRED',
      message: expect.stringContaining('allow reply publishing'),
      mayHaveHappened: false,
    });
    expect(meta.sentTo('POST /42/threads_publish')).toEqual([]);
  });

  test('is not begun when Threads would find a later part too long', async () => {
    await using meta = await vendor();
    const failure = await failureOf(publishThread([post('One'), post('😀'.repeat(126))], meta.run()));
    expect(failure).toMatchObject({
      kind: 'rejected',
      code: 'THREADS_INVALID_THREAD_PART',
      mayHaveHappened: false,
    });
    expect(meta.asked).toEqual([]);
  });

  test.for([
    [false, 'rejected'],
    [true, null],
    [undefined, null],
  ] as const)('goes by what we knew (%s) where Threads does not tell', async ([canReply, kind]) => {
    await using meta = await vendor({ 'GET /debug_token': [error(100, 0)] });
    const ctx = meta.run();
    const traits: Record<string, Json> = canReply === undefined ? {} : { canReply };
    const publishing = publishThread(parts, { ...ctx, account: { ...ctx.account, traits } });
    if (kind) expect(await failureOf(publishing)).toMatchObject({ kind });
    else expect(await publishing).toHaveLength(3);
  });

  test.for([
    [{ ...quota, reply_quota_usage: 999 }, '999 of 1000 replies'],
    [{ ...quota, quota_usage: 250 }, '250 of 250 posts'],
  ] as const)('is not begun unless all of it fits: $1', async ([used, reason]) => {
    await using meta = await vendor({ 'GET /42/threads_publishing_limit': [{ data: [used] }] });
    expect(await failureOf(publishThread(parts, meta.run()))).toMatchObject({
      kind: 'rate_limited',
      reason,
      retryAfterSeconds: 3600,
    });
    expect(meta.sentTo('POST /42/threads_publish')).toEqual([]);
  });
});

describe('never twice', () => {
  const published = [...finished, status('PUBLISHED')];

  test('a published container leads to the oldest of the new posts with its text', async () => {
    const list = ['m7', 'm6', 'm5', 'old'].map((id) => listed(id, id === 'm5' ? 'Other' : 'Hello'));
    await using meta = await vendor({
      'POST /42/threads_publish': ['hang up'],
      'GET /me/threads': [{ data: [listed('old', 'Hello')] }, { data: list }],
      'GET /c1': published,
    });
    expect((await failureOf(publish(post('Hello'), meta.run()))).mayHaveHappened).toBe(true);
    expect(await publish(post('Hello'), meta.run())).toEqual(remote('m6'));
    expect(meta.sentTo('POST /42/threads_publish')).toHaveLength(1);
  });

  test('a part of a thread is looked for among our own replies to the one before', async () => {
    const replies = [listed('r1', 'Two', { username: 'ben' }), listed('r2', 'Two', { username: 'ann' })];
    await using meta = await vendor({
      'POST /42/threads_publish': [{ id: 'm1' }, 'hang up', { id: 'm3' }],
      'GET /m1/replies': [{ data: replies }],
      'GET /c2': published,
    });
    const parts = [post('One'), post('Two'), post('Three')] as const;
    await failureOf(publishThread(parts, meta.run()));
    expect(await publishThread(parts, meta.run())).toMatchObject([{ id: 'm1' }, { id: 'r2' }, { id: 'm3' }]);
  });

  test('a post that Threads does not list yet stays in doubt', async () => {
    await using meta = await vendor({ 'POST /42/threads_publish': ['hang up'], 'GET /c1': published });
    await failureOf(publish(post('Hello'), meta.run()));
    const failure = await failureOf(publish(post('Hello'), meta.run()));
    expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    expect(meta.steps.open()).toEqual(['post']);
  });

  test('an error although the post went out is none', async () => {
    await using meta = await vendor({
      'POST /42/threads_publish': [error(2, 0)],
      'GET /me/threads': [{ data: [] }, { data: [listed('m5', 'Hello')] }],
      'GET /c1': published,
    });
    expect(await publish(post('Hello'), meta.run())).toMatchObject({ id: 'm5' });
  });

  test('after one that expired, it is the second container that is asked about', async () => {
    await using meta = await vendor({
      'POST /42/threads_publish': ['hang up'],
      'GET /c1': [status('EXPIRED')],
      'GET /c2': published,
      'GET /me/threads': [{ data: [] }, { data: [] }, { data: [listed('m5', 'Hello')] }],
    });
    await failureOf(publish(post('Hello'), meta.run()));
    expect(await publish(post('Hello'), meta.run(reconcilingRunner))).toMatchObject({ id: 'm5' });
  });
});

describe('a comment', () => {
  const on = remote('m1');

  test('goes out in one call', async () => {
    await using meta = await vendor({ 'POST /42/threads': [{ id: 'm2' }] });
    expect(await comment(on, 'First!', meta.run())).toEqual(remote('m2'));
    expect(meta.sentTo('POST /42/threads')).toEqual([
      { media_type: 'TEXT', text: 'First!', reply_to_id: 'm1', auto_publish_text: 'true' },
    ]);
  });

  test('in doubt is found among our replies since then', async () => {
    const before = { timestamp: '2001-02-03T04:00:00+0000' };
    const now = { timestamp: new Date().toISOString() };
    const replies = [listed('r3', 'First!', now), listed('r2', 'Other', now), listed('r1', 'First!', before)];
    await using meta = await vendor({ 'POST /42/threads': ['hang up'], 'GET /m1/replies': [{ data: replies }] });
    await failureOf(comment(on, 'First!', meta.run()));
    expect(await comment(on, 'First!', meta.run())).toEqual(remote('r3'));
    expect(meta.sentTo('POST /42/threads')).toHaveLength(1);
  });

  test.for([{ data: [] }, error(10, 0)])('in doubt stays so when the replies say nothing: %o', async (answer) => {
    await using meta = await vendor({ 'POST /42/threads': ['hang up'], 'GET /m1/replies': [answer] });
    await failureOf(comment(on, 'First!', meta.run()));
    expect((await failureOf(comment(on, 'First!', meta.run()))).kind).toBe('unknown_outcome');
    expect(meta.sentTo('POST /42/threads')).toHaveLength(1);
  });

  test.for([
    [10, 0, /allow reply publishing/],
    [200, 0, /allow reply publishing/],
    [24, 4279009, /does not have the post/],
  ] as const)('that is refused with %i/%i leaves the connection alone', async ([code, subcode, message]) => {
    await using meta = await vendor({ 'POST /42/threads': [error(code, subcode)] });
    const failure = await failureOf(comment(on, 'First!', meta.run()));
    expect(failure).toMatchObject({ kind: 'rejected', status: 400, reason: 'No.' });
    expect(failure.message).toMatch(message);
  });
});

test('a post whose address cannot be read is out nevertheless', async () => {
  await using meta = await vendor({ 'GET /m1': [error(24, 4279009)] });
  expect(await publish(post('Hello'), meta.run())).toEqual({ id: 'm1', url: null });
});
