import { expect, test } from 'vitest';
import { matchesDraft, type PostRow, rowOfDraft, withDrafts } from './rows.ts';

const row = (postGroupId: string, more: Partial<PostRow>): PostRow => ({
  postGroupId,
  content: '',
  status: 'draft',
  scheduledTime: null,
  platforms: [],
  thumbnail: null,
  ...more,
});
const posts = [row('new', { updatedAt: '2027-03-03T00:00:00Z' }), row('old', { updatedAt: '2027-03-01T00:00:00Z' })];
const drafts = [
  row('mine', { updatedAt: '2027-03-02T00:00:00Z' }),
  row('first', { updatedAt: '2027-01-01T00:00:00Z' }),
];
const ids = (rows: readonly PostRow[]) => rows.map(({ postGroupId }) => postGroupId);

test('drafts of the composer are in the order of the list, up to the last post that was read', () => {
  const sorting = { sort: 'updated', order: 'desc' } as const;
  expect(ids(withDrafts(drafts, posts, sorting, true))).toEqual(['new', 'mine', 'old']);
  expect(ids(withDrafts(drafts, posts, sorting, false))).toEqual(['new', 'mine', 'old', 'first']);
  expect(ids(withDrafts(drafts, posts.toReversed(), { ...sorting, order: 'asc' }, false))).toEqual([
    'first',
    'old',
    'mine',
    'new',
  ]);
});

test('without a time they come last', () => {
  const timed = [row('timed', { scheduledTime: '2027-05-01T00:00:00Z' })];
  for (const order of ['asc', 'desc'] as const)
    expect(ids(withDrafts(drafts.slice(0, 1), timed, { sort: 'time', order }, false))).toEqual(['timed', 'mine']);
});

test('drafts of the composer are filtered by channel, label and words, and have no date', () => {
  const draft = { channels: ['mastodon-1'], text: 'Fresh bread', labels: ['launch', 7] };
  const one = rowOfDraft({ _id: 'a', version: 1, updatedAt: '2027-03-02T00:00:00Z', draft });
  expect(one.labels).toEqual(['launch']);
  expect(matchesDraft(one, { channel: 'mastodon-1', label: 'launch', q: 'bread' })).toBe(true);
  expect(matchesDraft(one, { label: 'autumn' })).toBe(false);
  expect(matchesDraft(one, { dates: 'today' })).toBe(false);
});
