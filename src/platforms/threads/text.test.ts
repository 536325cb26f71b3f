import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertPartLength, assertPostLength, lengthOf } from './text.ts';

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

test.for([
  ['post', assertPostLength, null],
  ['part of a thread', assertPartLength, 'THREADS_INVALID_THREAD_PART'],
] as const)('500 characters fit into a %s, and one more is too long', ([, assertLength, code]) => {
  expect(() => assertLength('a'.repeat(500))).not.toThrow();
  expect(() => assertLength('😀'.repeat(125))).not.toThrow();
  const tooLong = expect.objectContaining({ kind: 'rejected', code, reason: '501 of 500 characters' });
  expect(() => assertLength(`${'😀'.repeat(125)}a`)).toThrow(tooLong);
});
