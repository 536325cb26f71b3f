import { expect, test } from 'vitest';
import { printable } from './print-result.ts';

test('control characters do not reach the terminal', () => {
  expect(printable('Line one\n\u001b]0;title\u0007two\u202e \u0000\u009b2J')).toBe('Line one\n]0;titletwo 2J');
});
