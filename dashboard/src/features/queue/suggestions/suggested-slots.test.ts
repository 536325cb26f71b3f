import { expect, test } from 'vitest';
import { bestHours, commonSuggestion } from './suggested-slots.ts';

const at = (hour: number, interactions: number, day = 1) => ({
  publishedAt: `2027-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:20:00Z`,
  interactions,
});
const many = (hour: number, interactions: number, posts: number) =>
  Array.from({ length: posts }, (_, index) => at(hour, interactions, index + 1));

test('the best hours are those with the highest average, in the time zone of the reader', () => {
  const found = bestHours([...many(7, 10, 4), ...many(12, 2, 4), ...many(18, 5, 4)], 'Europe/Berlin');
  expect(found?.times.map(({ time }) => time)).toEqual(['08:00', '19:00']);
  expect(found?.basis).toContain('latest 12 posts on this channel');
});

test('one lucky post is not an hour', () => {
  const found = bestHours([at(3, 1000), ...many(9, 3, 6), ...many(15, 1, 6)], 'UTC');
  expect(found?.times.map(({ time }) => time)).toEqual(['09:00', '15:00']);
});

test.for([
  ['few posts', many(9, 5, 9)],
  ['no interactions', [...many(9, 0, 9), ...many(15, 0, 9)]],
  ['a single hour', many(9, 5, 20)],
] as const)('%s: nothing is suggested from statistics', ([, results]) => {
  expect(bestHours(results, 'UTC')).toBeNull();
});

test('common times say that they are not from statistics', () => {
  expect(commonSuggestion('Choose a channel first.').basis).toMatch(
    /not from your statistics\. Choose a channel first\.$/,
  );
});
