import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertLength, lengthOf } from './text.ts';

test.for([
  ['', 0],
  ['Grüße', 5],
  ['漢字', 2],
  ['e\u0301', 2],
  ['1 # *', 5],
  ['😀', 4],
  ['☀️', 6],
  ['👩‍👩‍👧‍👦', 25],
  ['🇺🇳', 8],
  ['a😀b', 6],
] as const)('%j counts as %i', ([text, length]) => {
  expect(lengthOf(text)).toBe(length);
});

test('a text without emoji counts its characters', () => {
  const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Emoji_Presentation}|\ufe0f/u.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(lengthOf(text)).toBe([...text].length);
    }),
  );
});

test('a text counts at least its characters and at most its bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(lengthOf(text)).toBeGreaterThanOrEqual([...text].length);
      expect(lengthOf(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
    }),
  );
});

test('500 characters fit, and one more is too long', () => {
  expect(() => assertLength('a'.repeat(500))).not.toThrow();
  expect(() => assertLength('😀'.repeat(125))).not.toThrow();
  expect(() => assertLength(`${'😀'.repeat(125)}a`)).toThrow(/too long/);
});
