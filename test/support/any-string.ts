import fc, { type StringConstraints } from 'fast-check';

/**
 * Texts of any characters, like `fc.string({ unit: 'binary' })`, which first fills a table with all of them: that takes
 * each worker two seconds and 90 MB.
 */
export const anyString = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: anyCharacter });

/** Page URLs, like `fc.webUrl`, which fills the same table. */
export function anyUrl({ withQuery = false, withFragment = false } = {}) {
  const scheme = fc.constantFrom('http', 'https');
  const path = fc.array(urlPart(pathCharacters)).map((segments) => segments.map((segment) => `/${segment}`).join(''));
  const rest = (sign: string) =>
    fc.oneof(
      fc.constant(''),
      urlPart(`${pathCharacters}/?`).map((text) => sign + text),
    );
  const query = withQuery ? rest('?') : fc.constant('');
  const fragment = withFragment ? rest('#') : fc.constant('');
  return fc.tuple(scheme, fc.constant('://'), fc.domain(), path, query, fragment).map((parts) => parts.join(''));
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const pathCharacters = `${letters}${letters.toUpperCase()}0123456789-._~!$&'()*+,;=:@`;

function urlPart(characters: string) {
  const plain = fc.constantFrom(...characters);
  const encoded = anyCharacter.map(encodeURIComponent);
  return fc.string({ unit: fc.oneof({ weight: 10, arbitrary: plain }, { weight: 1, arbitrary: encoded }) });
}

/** Lone surrogates are not characters. */
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
