import { describe, expect, test } from 'vitest';
import { lengthOf } from './text.ts';

describe('the length of a Threads text', () => {
  test.each([
    ['plain', 5],
    ['Grüße', 5],
    ['漢字', 2],
    ['e\u0301', 2],
    ['😀', 4],
    ['👩‍👩‍👧‍👦', 25],
    ['🇺🇳', 8],
    ['❤️', 6],
    ['1️⃣', 7],
    ['123 #', 5],
    ['© ™', 3],
  ])('of %s is %i', (text, length) => expect(lengthOf(text)).toBe(length));
});
