import { expect, test } from 'vitest';
import { readTime } from './read-time.ts';

test.each([
  ['2:30 PM', { hour: 14, minute: 30 }],
  ['12am', { hour: 0, minute: 0 }],
  ['14.30', { hour: 14, minute: 30 }],
  ['9 Uhr', { hour: 9, minute: 0 }],
  ['9 Uhr 30', { hour: 9, minute: 30 }],
  ['14:30:00', { hour: 14, minute: 30 }],
  ['9h', { hour: 9, minute: 0 }],
  ['25:00', null],
  ['13pm', null],
])('%s is read as a time', (text, expected) => {
  expect(readTime(text)).toEqual(expected);
});
