import { expect, test } from 'vitest';
import { text } from './setting-fields.ts';

test('a text can hold any Unicode, also none', () => {
  for (const value of ['', 'Grüße 👋🏽', '\n']) expect(text().parse(value)).toBe(value);
});

test.each([
  ['a null character', 'a\0b'],
  ['half of an emoji', '👋'.slice(0, 1)],
])('a text with %s is refused, because it cannot be stored', (_, value) => {
  expect(text().safeParse(value).error?.issues[0]?.message).toBe('must be valid Unicode without null characters');
});
