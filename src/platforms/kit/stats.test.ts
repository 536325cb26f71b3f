import { expect, test } from 'vitest';
import { OptionalCount } from './stats.ts';

test.each([
  [0, 0],
  [12, 12],
  [null, null],
  [undefined, null],
  [-1, null],
  [1.5, null],
  ['12', null],
])('a count of %j is read as %j', (given, count) => {
  expect(OptionalCount.parse(given)).toBe(count);
});
