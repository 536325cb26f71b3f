import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { normalizeText } from './normalize-text.ts';

test('a text is composed as Unicode defines', () => {
  const piece = fc.oneof(fc.constantFrom('e\u0301', 'q\u0307\u0323', 'ᄀ', 'ᅡ', 'ཀྵ'), anyString());
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(normalizeText(pieces.join(''))).toBe(pieces.join('').normalize('NFC'));
    }),
  );
});

test('a long run of combining marks is composed in pieces', () => {
  const marks = '\u0315\u0300'.repeat(32);
  expect(normalizeText(`be${marks}${marks}`)).toBe(`be${marks}`.normalize('NFC') + marks.normalize('NFC'));
});
