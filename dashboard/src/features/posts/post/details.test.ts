import type { PlatformPost, PostLog } from '@crier/client';
import { describe, expect, test } from 'vitest';
import { adviceFor, type ChannelState, copiedWith, describeLog, isRetryable, statusOf, textOf } from './details.ts';

const target = (platform: string, more: Partial<PlatformPost> = {}): PlatformPost => ({
  _id: platform,
  platform,
  platformId: '1',
  content: 'Hello',
  status: 'published',
  postedId: null,
  permalink: null,
  isThread: false,
  threadParts: [],
  firstCommentResult: null,
  firstCommentResults: [],
  ...more,
});
const failed = (platform: string, code: string, retryable = false) =>
  target(platform, {
    status: 'failed',
    error: { code, message: '', platformError: null, failedAt: '2027-03-04T05:06:07.000Z', retryable },
  });
const asked = '2027-03-04T05:06:07.000Z';
const scheduled: PostLog = { _id: '1', postGroupId: 'p', event: 'scheduled', createdAt: asked, updatedAt: asked };
const later = '2027-03-04T09:00:00.000Z';

test('a post is titled by the text that most targets share', () => {
  const posts = [target('instagram', { content: 'Its own' }), target('mastodon'), target('twitter')];
  expect(textOf({ posts })).toBe('Hello');
  expect(textOf({ posts: [] })).toBe('');
});

describe('a copy that fixes a failure', () => {
  const [x, linkedin] = [failed('twitter', 'PLATFORM_REJECTED'), failed('linkedin', 'PLATFORM_AUTH_EXPIRED')];
  const gone = (): ChannelState => 'gone';
  const namesOf = (targets: readonly PlatformPost[]) => targets.map(({ platform }) => platform);

  test('covers all rejected targets, but none that is published or retryable', () => {
    const posts = [target('mastodon'), x, failed('bluesky', 'RATE_LIMITED', true), linkedin];
    expect(namesOf(copiedWith(x, posts, gone))).toEqual(['twitter', 'linkedin']);
  });

  test('covers only the one target if it may already be published', () => {
    const unknown = failed('telegram', 'PUBLISH_OUTCOME_UNKNOWN');
    expect(namesOf(copiedWith(unknown, [x, unknown], gone))).toEqual(['telegram']);
    expect(namesOf(copiedWith(x, [x, unknown], gone))).toEqual(['twitter']);
  });

  test('excludes a thread whose first posts are published', () => {
    const begun = failed('threads', 'THREAD_PARTIALLY_PUBLISHED');
    expect(namesOf(copiedWith(x, [x, begun], gone))).toEqual(['twitter']);
  });
});

describe('a post that failed because its channel had expired', () => {
  const linkedin = failed('linkedin', 'PLATFORM_AUTH_EXPIRED');

  test('asks for a reconnect and not for a copy, and can then be retried', () => {
    expect(adviceFor(linkedin, 'expired')).toEqual({
      text: 'Reconnect the LinkedIn account, then try again here.',
      action: 'reconnect',
    });
    expect(isRetryable(linkedin, 'expired')).toBe(false);
    expect(adviceFor(linkedin, 'works')?.text).toBe('The LinkedIn account works again. Try again to publish the post.');
    expect(isRetryable(linkedin, 'works')).toBe(true);
    const x = failed('twitter', 'PLATFORM_REJECTED');
    expect(copiedWith(x, [x, linkedin], () => 'works')).toEqual([x]);
  });

  test('needs a copy once the channel is disconnected', () => {
    expect(adviceFor(linkedin, 'gone')?.isCopyOffered).toBe(true);
    expect(isRetryable(linkedin, 'gone')).toBe(false);
  });
});

describe('the status of a post', () => {
  const stateOf = (posts: PlatformPost[], logs: PostLog[] = [], scheduledTime = later) =>
    statusOf({ status: 'scheduled', posts, scheduledTime }, logs);

  test.each(['pending', 'processing', 'published', 'failed'] as const)(
    'is publishing as soon as one target is %s',
    (status) => {
      const posts = [target('mastodon', { status: 'scheduled' }), target('twitter', { status })];
      expect(stateOf(posts)).toBe('publishing');
    },
  );

  test('is scheduled until something was sent', () => {
    expect(stateOf([target('mastodon', { status: 'scheduled' })], [scheduled])).toBe('scheduled');
  });

  test('is publishing right after "Publish now"', () => {
    expect(stateOf([target('mastodon', { status: 'scheduled' })], [scheduled], asked)).toBe('publishing');
  });
});

test('the history distinguishes scheduling from publishing now', () => {
  expect(describeLog(scheduled, later)).toBe('Post scheduled');
  expect(describeLog(scheduled, asked)).toBe('Publishing requested');
});

test('while Crier retries, the history asks for nothing', () => {
  const error = 'X has rate-limited this account. Wait until the limit resets, then try again.';
  const failure: PostLog = { ...scheduled, event: 'publish_retry', platform: 'twitter', error };
  expect(describeLog(failure, later)).toBe('Attempt on X failed, Crier will retry: X has rate-limited this account.');
  expect(describeLog({ ...failure, event: 'publish_failed' }, later)).toBe(`Not published on X: ${error}`);
});
