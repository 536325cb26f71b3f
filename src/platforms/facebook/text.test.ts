import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstLinkIn } from './text.ts';

describe('the first link', () => {
  test.for([
    ['See https://example.com/a?b=c&d=%20#e now', 'https://example.com/a?b=c&d=%20#e'],
    ['First http://one.example, then https://two.example', 'http://one.example'],
    ['The end: https://example.com/hours.', 'https://example.com/hours'],
    ['Really? https://example.com/a?!', 'https://example.com/a'],
    ['(see https://example.com/a_(b).)', 'https://example.com/a_(b)'],
    ['[https://example.com]', 'https://example.com'],
    ['"https://example.com/x"', 'https://example.com/x'],
    ['見て https://example.com/見https://例え.jp', 'https://example.com/'],
    ['Straße: https://müller.example/straße', 'https://müller.example/straße'],
    ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
    ['At http://localhost:3000 and https://example.com', 'https://example.com'],
  ] as const)('of %j is %s', ([text, link]) => {
    expect(firstLinkIn(text)).toBe(link);
  });

  test.for(['', 'example.com', 'No link', 'xhttps://example.com', 'https://', 'ftp://example.com'])(
    'of %j is none',
    (text) => {
      expect(firstLinkIn(text)).toBeNull();
    },
  );

  const words = fc.string({ unit: fc.constantFrom(...'ab .,:;!?()[]"\'\n/é漢😀') });

  const url = fc.stringMatching(/^https?:\/\/[a-z]{1,9}\.[a-z]{2,5}(\/[a-zA-Z0-9_~%.,:;()'?=&#-]{0,20}[a-z0-9])?$/);

  test('is found in any surrounding text', () => {
    fc.assert(
      fc.property(words, url, words, (before, url, after) => {
        expect(firstLinkIn(`${before} ${url} ${after}`)).toBe(url);
      }),
    );
  });

  test('is found quickly, however long the text after it', () => {
    const text = `https://example.com/${').'.repeat(31_000)}`;
    const before = performance.now();
    expect(firstLinkIn(text)).toBe('https://example.com/');
    expect(performance.now() - before).toBeLessThan(1000);
  });

  test('is part of the text, and a valid web address', () => {
    const pieces = fc.array(fc.oneof(words, fc.constantFrom('https://', 'http://', 'example.com')));
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const link = firstLinkIn(text);
        if (link === null) return;
        expect(text).toContain(link);
        expect(new URL(link).protocol).toMatch(/^https?:$/);
      }),
    );
  });
});
