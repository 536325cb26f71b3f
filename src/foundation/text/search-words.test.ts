import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { finish } from './in-turns.ts';
import { searchTerms, searchWords } from './search-words.ts';

/** Matches the way the database does. */
function finds(query: string, text: string): boolean {
  const words = finish(searchWords(text));
  const terms = searchTerms(query);
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
  .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/\s/.test(text.normalize('NFKC')));

describe('the words of a text', () => {
  test('find it, each of them, in small letters and capitals', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const text = words.join(' ');
        for (const one of words) {
          expect(finds(one, text), one).toBe(true);
          expect(finds(one.toUpperCase(), text), one.toUpperCase()).toBe(true);
          expect(finds(one.normalize('NFD'), text), one).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are the same however long the text before them is', () => {
    const filler = 'lorem ipsum, dolor. '.repeat(2_000);
    for (const text of ['lighthouse', '東京タワー', 'مرحبا', '🎉']) {
      for (const cut of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
        const long = filler.slice(cut) + text;
        expect([finds(text, long), finds('elsewhere', long)]).toEqual([true, false]);
      }
    }
  });

  test('are letters, digits and emoji alone, and none is long', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 300 }), (text) => {
        for (const one of [...finish(searchWords(text)), ...searchTerms(text)]) {
          expect(one).toMatch(/^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}]+$/u);
          expect([...one].length).toBeLessThanOrEqual(60);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('end where PostgreSQL could not store more', () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `${n}`).join(' ');
    const words = finish(searchWords(text));
    expect(words.join('').length).toBeLessThanOrEqual(150_000);
    expect(words.length).toBeGreaterThan(25_000);
  });

  test.for<[query: string, text: string, isFound: boolean]>([
    ['straße', 'STRASSE', true],
    ['strasse', 'Straße', true],
    ['İstanbul', 'istanbul', true],
    ['nino', 'El Niño', true],
    ['o', 'øre', false],
    ['がく', '学校でがくせい', true],
    ['ab', 'cab', false],
    ['new york', 'York is not new', true],
  ])('%j in %j: %j', ([query, text, isFound]) => {
    expect(finds(query, text)).toBe(isFound);
  });
});
