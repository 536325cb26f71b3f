import type { PlatformPost, PostLog } from '@crier/client';
import { describe, expect, test } from 'vitest';
import { copiedWith, describeLog, statusOf, textOf } from './details.ts';

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
  const namesOf = (targets: readonly PlatformPost[]) => targets.map(({ platform }) => platform);

  test('covers all rejected targets, but none that is published or retryable', () => {
    const posts = [target('mastodon'), x, failed('bluesky', 'RATE_LIMITED', true), linkedin];
    expect(namesOf(copiedWith(x, posts))).toEqual(['twitter', 'linkedin']);
  });

  test('covers only the one target if it may already be published', () => {
    const unknown = failed('telegram', 'PUBLISH_OUTCOME_UNKNOWN');
    expect(namesOf(copiedWith(unknown, [x, unknown]))).toEqual(['telegram']);
    expect(namesOf(copiedWith(x, [x, unknown]))).toEqual(['twitter']);
  });

  test('excludes a thread whose first posts are published', () => {
    const begun = failed('threads', 'THREAD_PARTIALLY_PUBLISHED');
    expect(namesOf(copiedWith(x, [x, begun]))).toEqual(['twitter']);
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
