import { expect, test } from 'vitest';
import { shorten, shortenStrings } from './shorten.ts';

test('a text within the limit stays as it is', () => {
  expect(shorten('12345', 5)).toBe('12345');
});

test('a longer text ends with an ellipsis, within the limit', () => {
  expect(shorten('123456', 5)).toBe('1234…');
});

test('an emoji is not split', () => {
  expect(shorten('123🎉56', 5)).toBe('123…');
});

test('texts are shortened at any depth, and everything else stays', () => {
  const value = { a: ['123456', 7, null, true], b: { c: '1', d: '1234567' } };
  expect(shortenStrings(value, 5)).toEqual({ a: ['1234…', 7, null, true], b: { c: '1', d: '1234…' } });
});
