import fc, { type StringConstraints } from 'fast-check';

/**
 * Texts of any characters, like `fc.string({ unit: 'binary' })`, which first fills a table with all of them: that takes each
 * worker two seconds and 90 MB.
 */
export const anyString = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: anyCharacter });

/** Halves of surrogate pairs are no characters. */
const [firstSurrogate, surrogates, codePoints] = [0xd800, 0x800, 0x110000];

const anyCharacter = fc.nat({ max: codePoints - surrogates - 1 }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (value) => {
    const [character, more] = typeof value === 'string' ? [...value] : [];
    const codePoint = character?.codePointAt(0);
    if (codePoint === undefined || more !== undefined) throw new Error('This is not one character.');
    if (codePoint < firstSurrogate) return codePoint;
    if (codePoint < firstSurrogate + surrogates) throw new Error('This is half of a surrogate pair.');
    return codePoint - surrogates;
  },
);
