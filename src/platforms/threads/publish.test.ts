import { describe, expect, test } from 'vitest';
import { type GraphAnswer, graphMedia, graphServer, refusal } from '../../../test/support/servers/graph.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import type { Media } from '../kit/index.ts';
import { RetryLater } from '../kit/steps.ts';
import { comment } from './comment.ts';
import type { Post } from './container.ts';
import { publish, publishThread } from './publish.ts';

const permalink = (id: string) => `https://www.threads.com/@ann/post/${id}`;
const remote = (id: string) => ({ id, url: permalink(id) });
const listed = (id: string, text: string, more: Record<string, Json> = {}) => ({
  id,
  text,
  timestamp: '2031-02-03T04:05:10+0000',
  permalink: permalink(id),
  ...more,
});
const finished = [{ status: 'FINISHED' }];
const notKnownYet = refusal(24, 4279009);
const quota = {
  quota_usage: 4,
  config: { quota_total: 250 },
  reply_quota_usage: 1,
  reply_config: { quota_total: 1000 },
};
const scopes = (...names: string[]) => ({ data: { is_valid: true, scopes: names } });

const vendor = (answers: Record<string, GraphAnswer[]> = {}) =>
  graphServer('threads', {
    'GET /debug_token': [scopes('threads_basic', 'threads_content_publish', 'threads_manage_replies')],
    'GET /me/threads': [{ data: [listed('old', 'Hello')] }],
    'POST /42/threads': [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }],
    'GET /c1': finished,
    'GET /c2': finished,
    'GET /c3': finished,
    'GET /42/threads_publishing_limit': [{ data: [quota] }],
    'POST /42/threads_publish': [{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }],
    ...Object.fromEntries(['m1', 'm2', 'm3'].map((id) => [`GET /${id}`, [{ id, permalink: permalink(id) }]])),
    ...answers,
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

  test('every call has the token among its parameters, and in no header', async () => {
    await using meta = await vendor();
    await publish(post('Hello'), meta.run());
    expect(new Set(meta.asked.map(({ token, authorization }) => `${token} ${authorization}`))).toEqual(
      new Set(['access-token-1 undefined']),
    );
  });

  test('a text says who may reply only if that is set', async () => {
    expect(await sentFor(post('Hello'))).toEqual([{ media_type: 'TEXT', text: 'Hello' }]);
    expect(await sentFor(post('Hello', [], 'everyone'))).toEqual([
      { media_type: 'TEXT', text: 'Hello', reply_control: 'everyone' },
    ]);
  });

  test.for([
    [
      graphMedia('image', '1.png', 'A chart'),
      { media_type: 'IMAGE', image_url: 'https://media.example/1.png?a=1&b=2' },
    ],
    [
      graphMedia('video', '2.mp4', 'A chart'),
      { media_type: 'VIDEO', video_url: 'https://media.example/2.mp4?a=1&b=2' },
    ],
  ] as const)('a single file goes with its alt text and the text: $0.kind', async ([media, source]) => {
    expect(await sentFor(post('Look', [media]))).toEqual([{ ...source, text: 'Look', alt_text: 'A chart' }]);
  });

  test('a carousel creates its items first, in order', async () => {
    const media = [graphMedia('image', '1.png', 'A chart'), graphMedia('video', '2.mp4')];
    expect(await sentFor(post('Two', media, 'mentioned_only'))).toEqual([
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

describe('a thread', () => {
  const parts = [post('One', [], 'mentioned_only'), post('Two', [], 'mentioned_only'), post('Three')] as const;

  test('is a chain of replies, and only its first part says who may reply', async () => {
    await using meta = await vendor();
    expect(await publishThread(parts, meta.run())).toEqual([remote('m1'), remote('m2'), remote('m3')]);
    expect(meta.sentTo('POST /42/threads')).toEqual([
      { media_type: 'TEXT', text: 'One', reply_control: 'mentioned_only' },
      { media_type: 'TEXT', text: 'Two', reply_to_id: 'm1' },
      { media_type: 'TEXT', text: 'Three', reply_to_id: 'm2' },
    ]);
  });

  test('causes no further requests for parts that are published', async () => {
    await using meta = await vendor({ 'GET /c3': [{ status: 'IN_PROGRESS' }, ...finished] });
    await expect(publishThread(parts, meta.run())).rejects.toBeInstanceOf(RetryLater);
    const before = meta.asked.length;
    await publishThread(parts, meta.run());
    expect(meta.asked.slice(before).map(({ call }) => call)).toEqual([
      'GET /c3',
      'POST /42/threads_publish',
      'GET /m3',
    ]);
  });

  test('waits until Threads knows the part to reply to everywhere', async () => {
    const created = [{ id: 'c1' }, notKnownYet, { id: 'c2' }, { id: 'c3' }];
    await using meta = await vendor({ 'POST /42/threads': created });
    await expect(publishThread(parts, meta.run())).rejects.toBeInstanceOf(RetryLater);
    expect(await publishThread(parts, meta.run())).toHaveLength(3);
  });

  test('does not wait for that for more than half an hour', async () => {
    await using meta = await vendor({ 'POST /42/threads': [{ id: 'c1' }, notKnownYet] });
    await expect(publishThread(parts, meta.run())).rejects.toBeInstanceOf(RetryLater);
    meta.clock.now += 30 * 60_000 + 1;
    expect(await failureOf(publishThread(parts, meta.run()))).toMatchObject({ kind: 'unavailable' });
  });

  test('is not begun by an account that may not reply', async () => {
    await using meta = await vendor({ 'GET /debug_token': [scopes('threads_basic', 'threads_content_publish')] });
    expect(await failureOf(publishThread(parts, meta.run()))).toMatchObject({
      kind: 'rejected',
      code: 'THREADS_PERMISSION_REQUIRED',
      message: expect.stringContaining('allow reply publishing'),
      mayHaveHappened: false,
    });
    expect(meta.count('POST /42/threads_publish')).toBe(0);
  });

  test('is not begun if a later part is too long for Threads', async () => {
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
  ] as const)('relies on the known permission (%s) where Threads does not tell', async ([canReply, kind]) => {
    await using meta = await vendor({ 'GET /debug_token': [refusal(100)] });
    const ctx = meta.run();
    const traits: Record<string, Json> = canReply === undefined ? {} : { canReply };
    const publishing = publishThread(parts, { ...ctx, account: { ...ctx.account, traits } });
    if (kind) expect(await failureOf(publishing)).toMatchObject({ kind });
    else expect(await publishing).toHaveLength(3);
  });

  test.for([
    [{ ...quota, reply_quota_usage: 999 }, '999 of 1000 replies'],
    [{ ...quota, quota_usage: 250 }, '250 of 250 posts'],
  ] as const)('is not begun unless the quota covers all of it: $1', async ([used, reason]) => {
    await using meta = await vendor({ 'GET /42/threads_publishing_limit': [{ data: [used] }] });
    expect(await failureOf(publishThread(parts, meta.run()))).toMatchObject({
      kind: 'rate_limited',
      reason,
      retryAfterSeconds: 3600,
    });
    expect(meta.count('POST /42/threads_publish')).toBe(0);
  });

  test('finds a part in doubt among the account’s own replies to the part before', async () => {
    const replies = [listed('r1', 'Two', { username: 'ben' }), listed('r2', 'Two', { username: 'ann' })];
    await using meta = await vendor({
      'POST /42/threads_publish': [{ id: 'm1' }, 'hang up', { id: 'm3' }],
      'GET /m1/replies': [{ data: replies }],
      'GET /c2': [...finished, { status: 'PUBLISHED' }],
    });
    await failureOf(publishThread(parts, meta.run()));
    expect(await publishThread(parts, meta.run())).toMatchObject([{ id: 'm1' }, { id: 'r2' }, { id: 'm3' }]);
  });
});

describe('a comment', () => {
  const on = remote('m1');

  test('is published in one call', async () => {
    await using meta = await vendor({ 'POST /42/threads': [{ id: 'm2' }] });
    expect(await comment(on, 'First!', meta.run())).toEqual(remote('m2'));
    expect(meta.sentTo('POST /42/threads')).toEqual([
      { media_type: 'TEXT', text: 'First!', reply_to_id: 'm1', auto_publish_text: 'true' },
    ]);
  });

  test('in doubt is found among the account’s replies since then', async () => {
    const before = { timestamp: '2001-02-03T04:00:00+0000' };
    const now = { timestamp: '2031-02-03T04:05:07+0000' };
    const replies = [listed('r3', 'First!', now), listed('r2', 'Other', now), listed('r1', 'First!', before)];
    await using meta = await vendor({ 'POST /42/threads': ['hang up'], 'GET /m1/replies': [{ data: replies }] });
    await failureOf(comment(on, 'First!', meta.run()));
    expect(await comment(on, 'First!', meta.run())).toEqual(remote('r3'));
    expect(meta.count('POST /42/threads')).toBe(1);
  });

  test.for([{ data: [] }, refusal(10)])('in doubt stays so if the replies do not tell: %o', async (answer) => {
    await using meta = await vendor({ 'POST /42/threads': ['hang up'], 'GET /m1/replies': [answer] });
    await failureOf(comment(on, 'First!', meta.run()));
    expect((await failureOf(comment(on, 'First!', meta.run()))).kind).toBe('unknown_outcome');
    expect(meta.count('POST /42/threads')).toBe(1);
  });

  test.for([
    [10, 0, /allow reply publishing/],
    [200, 0, /allow reply publishing/],
    [24, 4279009, /cannot find the post/],
  ] as const)('that is refused with %i/%i does not count against the connection', async ([code, subcode, message]) => {
    await using meta = await vendor({ 'POST /42/threads': [refusal(code, subcode)] });
    const failure = await failureOf(comment(on, 'First!', meta.run()));
    expect(failure).toMatchObject({ kind: 'rejected', status: 400, reason: 'No.' });
    expect(failure.message).toMatch(message);
  });
});
