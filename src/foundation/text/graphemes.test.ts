import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { graphemesOf, isBoundary } from './graphemes.ts';
import { finish } from './in-turns.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const segmented = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

test('a text has the graphemes that Unicode defines', () => {
  const joiners = [
    '👩‍👧',
    '🇩',
    '👍🏿',
    'e\u0301',
    '\u0600',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    'ำ',
    '𑼂',
    'क्ष',
    '\u200d',
    '\r',
    '\n',
    '\ud83d',
  ];
  const piece = fc.oneof(fc.constantFrom(...joiners, 'a', ' ', '漢', '😀'), anyString({ maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const text = pieces.join('');
      expect(finish(graphemesOf(text))).toEqual(segmented(text));
    }),
    { examples: [[['\u0600', '\ud83d']]] },
  );
});

test('a long text has them too, wherever its pieces end', () => {
  for (const joined of ['e\u0301', '👩‍👧', '🇩🇪', 'क्ष', 'a👍🏿']) {
    for (let before = 0; before < 8; before += 1) {
      const text = '\u0915\u094d\u0937'.repeat(before) + `${joined.repeat(400)} `.repeat(3);
      expect(finish(graphemesOf(text))).toEqual(segmented(text));
    }
  }
});

test('a grapheme longer than any language has is cut', () => {
  const lengths = finish(graphemesOf('a'.padEnd(300_000, '\u0301'))).map((one) => one.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
  expect(lengths.length).toBeLessThan(300);
});

test('every character of the basic plane stands alone between letters or is segmented', () => {
  const wrong = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((character) => {
    const text = `a${character}a${character}${character}`;
    return finish(graphemesOf(text)).length !== segmented(text).length;
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['a b', 1, true],
  ['a \u0301b', 1, true],
  ['a \u0301b', 2, false],
  ['\u0600 b', 1, false],
  [']😀', 1, true],
  ['', 0, true],
])('in %j, whether a grapheme ends at %i is %s', (text, at, ends) => {
  expect(isBoundary(text, at)).toBe(ends);
});
