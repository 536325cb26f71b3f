import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { textLength } from './length.ts';

const family = '👩‍👩‍👧‍👦';
const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ 019,.\n') });

describe('units', () => {
  test.each([
    ['utf16', 11],
    ['codepoint', 7],
    ['grapheme', 1],
    ['weighted', 2],
    ['fediverse', 1],
  ] as const)('a family of four counts in %s as %i', (unit, length) => {
    expect(textLength(family, unit)).toBe(length);
  });

  test('plain text counts the same in every unit', () => {
    fc.assert(
      fc.property(plain, (text) => {
        for (const unit of ['utf16', 'codepoint', 'grapheme', 'weighted', 'fediverse'] as const) {
          expect(textLength(text, unit)).toBe(text.length);
        }
      }),
    );
  });

  test('graphemes are at most code points, and code points at most UTF-16 units', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        expect(textLength(text, 'grapheme')).toBeLessThanOrEqual(textLength(text, 'codepoint'));
        expect(textLength(text, 'codepoint')).toBeLessThanOrEqual(textLength(text, 'utf16'));
      }),
    );
  });

  test('a letter with a combining mark is one grapheme, and so is CR LF', () => {
    expect(textLength('e\u0301', 'grapheme')).toBe(1);
    expect(textLength('a\r\nb', 'grapheme')).toBe(3);
  });
});

describe('weighted', () => {
  test('Chinese, Japanese and Korean letters count two, Latin, Cyrillic and Arabic one', () => {
    expect(textLength('漢字かな', 'weighted')).toBe(8);
    expect(textLength('añя ع', 'weighted')).toBe(5);
  });

  test('a letter counts the same composed and decomposed', () => {
    expect(textLength('e\u0301', 'weighted')).toBe(textLength('\u00e9', 'weighted'));
  });
});

describe('fediverse', () => {
  const counted = (text: string) => textLength(text, 'fediverse', 23);
  const host = fc.domain().filter((name) => /^[a-z0-9.-]+\.[a-z]{2,}$/.test(name));
  const url = fc
    .tuple(fc.constantFrom('http', 'https'), host, fc.string({ unit: fc.constantFrom(...'abc019/_-#') }))
    .map(([scheme, name, path]) => `${scheme}://${name}/${path}`);

  test('every link counts 23, whatever its length', () => {
    fc.assert(
      fc.property(url, (link) => {
        expect(counted(link)).toBe(23);
      }),
    );
  });

  test('links between words add 23 each', () => {
    fc.assert(
      fc.property(fc.array(url), (links) => {
        const text = links.map((link) => `see ${link} `).join('');
        expect(counted(text)).toBe(links.length * (23 + 5));
      }),
    );
  });

  test.each(['weighted', 'fediverse'] as const)('a link counts as it is written if %s is given no length', (unit) => {
    expect(textLength('https://example.com/a', unit)).toBe(21);
  });

  test('a server may count links differently', () => {
    expect(textLength('https://example.com/a', 'fediverse', 256)).toBe(256);
  });

  test('a length that no string can have is counted all the same', () => {
    const text = 'https://example.com/a '.repeat(5);
    for (const unit of ['fediverse', 'weighted'] as const) {
      expect(textLength(text, unit, 120_000_000)).toBe(5 * 120_000_001);
    }
  });

  test.each([
    ['the full stop after it', 'https://example.com/a.', 1],
    ['the brackets around it', '(https://example.com/a)', 2],
    ['the comma after its query', 'https://example.com/?a=b,', 1],
    ['a question mark that ends the sentence', 'https://example.com/a?', 1],
    ['the line below it', 'https://example.com\nb', 2],
  ])('a link ends before %s', (_, text, more) => {
    expect(counted(text)).toBe(23 + more);
  });

  test.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM/A',
    'https://example.com:8443/a',
    'https://example.com/a_(b)',
    'https://example.com/a_(b(c))',
    'https://bücher.example/ä?ö=ü#ß',
  ])('%s is one link', (text) => {
    expect(counted(text)).toBe(23);
  });

  test.each([
    'example.com/a-long-path',
    'http://localhost/path',
    'ftp://example.com/a',
    'xhttps://example.com/a/b/c/d/e',
  ])('%s is no link and counts in full', (text) => {
    expect(counted(text)).toBe(text.length);
  });

  test('a mention counts without its host', () => {
    expect(counted('@ann@a-very-long-host.example')).toBe(4);
    expect(counted('Hi @ann.b@host.example, and @bob!')).toBe('Hi @ann.b, and @bob!'.length);
  });

  test('an email address is no mention', () => {
    expect(counted('ann@host.example')).toBe('ann@host.example'.length);
  });

  test('a mention inside a link belongs to the link', () => {
    expect(counted('https://host.example/@ann@other.example')).toBe(23);
  });

  test('no text takes long to count', () => {
    const hostile = ['https://a.bc/(', '@a@', 'https://', '@a.', '((((', 'https://a.bc/?', 'a.'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 6 }), (pieces) => {
        const text = pieces.join('').repeat(4000);
        const begun = performance.now();
        counted(text);
        expect(performance.now() - begun).toBeLessThan(2000);
      }),
      { numRuns: 30 },
    );
  });
});
