import { expect, test } from 'vitest';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { entriesOf } from './entries-of.ts';

const post = (hour: number) =>
  ({ postGroupId: `p${hour}`, status: 'scheduled', scheduledTime: iso(hour) }) as PostSummary;
const slot = (hour: number) => ({ at: new Date(iso(hour)), day: '2027-03-22', platformId: null });
const iso = (hour: number) => `2027-03-22T${String(hour).padStart(2, '0')}:00:00.000Z`;

const shown = (posts: number[], slots: number[], pickedUpId: string | null = null) => {
  const { entries, hidden } = entriesOf(posts.map(post), slots.map(slot), { max: 3, pickedUpId });
  return [...entries.map((entry) => ('post' in entry ? entry.post.postGroupId : entry.at.slice(11, 13))), hidden];
};

test('posts and free slots are in chronological order', () => {
  expect(shown([9, 12], [10])).toEqual(['p9', '10', 'p12', 0]);
});

test('slots never take the place of a post', () => {
  expect(shown([9, 12], [10, 11])).toEqual(['p9', '10', 'p12', 0]);
  expect(shown([9, 10, 11], [12])).toEqual(['p9', 'p10', 'p11', 0]);
});

test('the number counts all posts that aren’t shown', () => {
  expect(shown([9, 10, 11, 12], [13])).toEqual(['p9', 'p10', 2]);
  expect(shown([9, 10, 11, 12], [], 'p12')).toEqual(['p9', 'p10', 'p12', 1]);
});
