import { expect, test } from 'vitest';
import type { PostSummary } from './post-summary.ts';
import { channelKey, strandedNote } from './stranded.ts';

const post = (status: PostSummary['status'], userId?: string): PostSummary => ({
  postGroupId: 'a',
  content: 'Fresh rolls',
  status,
  scheduledTime: null,
  platforms: [
    { platformId: 'twitter-1', platform: 'twitter', status },
    { platformId: 'mastodon-1', platform: 'mastodon', status },
  ],
  thumbnail: null,
  ...(userId && { userId }),
});
const mastodon = { platformId: 'mastodon-1' };
const note = 'X: channel disconnected. Choose another one.';

test('a scheduled post names its channels that were disconnected', () => {
  const connected = (...ids: string[]) => new Set(ids.map((platformId) => channelKey({ platformId })));
  expect(strandedNote(post('scheduled'), connected('mastodon-1'))).toBe(note);
  expect(strandedNote(post('scheduled'), connected('mastodon-1', 'twitter-1'))).toBeNull();
});

test('other posts need no channel', () => {
  for (const status of ['draft', 'published', 'failed'] as const)
    expect(strandedNote(post(status), new Set([channelKey(mastodon)]))).toBeNull();
});

test('the channel of another brand doesn’t count', () => {
  const of = (userId: string) => [mastodon, { platformId: 'twitter-1' }].map((one) => channelKey({ ...one, userId }));
  expect(strandedNote(post('scheduled', 'bakery'), new Set(of('bakery')))).toBeNull();
  expect(strandedNote(post('scheduled', 'bakery'), new Set([...of('garage'), of('bakery')[0]!]))).toBe(note);
});
