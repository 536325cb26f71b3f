import type { Connection } from '@crier/client';
import { expect, test } from 'vitest';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import { retryableOn, sentenceOf, troubles, withDismissed } from './attention.ts';

const channel = (platformId: string, health: Connection['health'] = 'healthy') =>
  ({ platformId, health }) as Connection;

const post = (postGroupId: string, platforms: PostSummary['platforms']): PostSummary => ({
  postGroupId,
  content: postGroupId,
  status: 'scheduled',
  scheduledTime: null,
  platforms,
  thumbnail: null,
});
const on = (platformId: string, status = 'scheduled', retryable?: true) => ({
  platformId,
  platform: platformId.split('-')[0]!,
  status,
  ...(retryable && { retryable }),
});

const none = { posts: [], hasMore: false };

test('nothing needs attention while all channels work and no post failed', () => {
  const next = { posts: [post('a', [on('mastodon-1')])], hasMore: false };
  expect(troubles([channel('mastodon-1')], [], next)).toEqual([]);
});

test('posts at risk are the scheduled posts of broken channels', () => {
  const posts = [post('a', [on('x-1'), on('mastodon-1')]), post('b', [on('x-1')]), post('c', [on('threads-1')])];
  const channels = [channel('x-1', 'reconnect'), channel('mastodon-1'), channel('threads-1', 'expiring')];
  const risks = (hasMore: boolean) =>
    troubles(channels, [], { posts, hasMore }).map(({ platformId, risk }) => [platformId, risk]);
  expect(risks(false)).toEqual([
    ['x-1', '2 posts at risk'],
    ['threads-1', '1 post at risk'],
  ]);
  expect(risks(true)[0]).toEqual(['x-1', 'at least 2 posts at risk']);
});

test('a broken channel without posts is listed without a risk', () => {
  expect(troubles([channel('x-1', 'reconnect')], [], none)).toMatchObject([{ platformId: 'x-1', risk: '' }]);
});

test('failed posts belong to the channels that they failed on, broken channels first', () => {
  const failed = [
    post('a', [on('mastodon-1', 'failed', true), on('x-1', 'published')]),
    post('b', [on('mastodon-1', 'failed'), on('x-1', 'failed')]),
  ];
  const found = troubles([channel('x-1', 'reconnect'), channel('mastodon-1')], failed, none);
  expect(found.map(({ platformId, failed, toRetry }) => [platformId, failed.length, toRetry.length])).toEqual([
    ['x-1', 1, 0],
    ['mastodon-1', 2, 1],
  ]);
});

test('posts of a disconnected channel are listed without the channel', () => {
  const [found] = troubles([], [post('a', [on('x-1', 'failed')])], none);
  expect(found).toMatchObject({ platformId: 'x-1', channel: undefined, isBroken: false });
});

test('scheduled posts of a disconnected channel need attention, unless another brand has the same account', () => {
  const posts = [post('a', [on('x-1'), on('mastodon-1')]), { ...post('b', [on('mastodon-1')]), userId: 'bakery' }];
  const found = troubles([channel('mastodon-1')], [], { posts, hasMore: false });
  expect(found.map(({ platformId, channel, risk, stranded }) => [platformId, channel, risk, stranded])).toEqual([
    ['x-1', undefined, '1 scheduled post can’t be published', [posts[0]]],
    ['mastodon-1', undefined, '1 scheduled post can’t be published', [posts[1]]],
  ]);
});

test('only what failed on a reconnected channel is offered for a retry', () => {
  const failed = [
    post('a', [on('mastodon-1', 'failed', true)]),
    post('b', [on('x-1', 'failed', true)]),
    post('c', [on('mastodon-1', 'failed')]),
  ];
  expect(retryableOn(['mastodon-1'], failed).map(({ postGroupId }) => postGroupId)).toEqual(['a']);
});

test.for([
  [{ retried: 1, refused: 0 }, 'Publishing 1 post again.'],
  [{ retried: 3, refused: 1 }, 'Publishing 3 posts again. 1 post can’t be retried: open it to see why.'],
  [{ retried: 0, refused: 2 }, '2 posts can’t be retried: open them to see why.'],
] as const)('the result of a retry says what was left alone: %o', ([result, sentence]) => {
  expect(sentenceOf(result)).toBe(sentence);
});

const failure = (postGroupId: string, version: number) => ({ postGroupId, version });

test('a dismissal is of one failure, and is forgotten once it is no longer listed', () => {
  const listed = [failure('a', 3), failure('b', 5), failure('c', 1)];
  // The first was retried and failed again, the last is too old for the list.
  const before = ['a:2', 'b:5', 'old:1'];
  expect(withDismissed(before, listed, [failure('c', 1)])).toEqual(['b:5', 'c:1']);
});
