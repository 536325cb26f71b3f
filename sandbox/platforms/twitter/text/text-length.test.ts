import { describe, expect, test } from 'vitest';
import { findLinks } from './links.ts';
import { weightedLength } from './text-length.ts';

describe('X links', () => {
  test.each([
    ['https://example.com', ['https://example.com']],
    ['see example.com, or not', ['example.com']],
    ['(https://example.com/a_(b)_c).', ['https://example.com/a_(b)_c']],
    ['https://example.com/a(b', ['https://example.com/a']],
    ['https://example.com/a?b=c&d=%20#e <b>', ['https://example.com/a?b=c&d=%20#e']],
    ['https://example.com/path. Next', ['https://example.com/path']],
    ['https://example.com:8080/a', ['https://example.com:8080/a']],
    ['https://münchen.de/ü', ['https://münchen.de/ü']],
    ['日本example.com', ['example.com']],
    ['example.com.nowhere', ['example.com']],
    ['a.co b.io', ['a.co', 'b.io']],
    ['bo@example.com', []],
    ['first.last@example.com', []],
    ['ftp://example.com', []],
    ['https://app.test/x', []],
    ['#example.com $example.com', []],
    ['node.js and v1.2.3', []],
    ['no dot', []],
  ])('%s', (text, links) => {
    expect(findLinks(text).map(({ url }) => url)).toEqual(links);
  });
});

describe('X weighted length', () => {
  test.each([
    ['a'.repeat(280), 280],
    ['漢字', 4],
    ['Grüße', 5],
    ['שלום', 4],
    ['e\u0301', 1],
    ['“quoted” – dash', 15],
    ['€', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇺🇳', 2],
    ['👍🏽', 2],
    ['☎️', 2],
    ['1️⃣', 2],
    ['https://a.co', 23],
    [`https://example.com/${'long'.repeat(50)}`, 23],
    ['a example.com b', 27],
    ['https://app.test/', 17],
    ['line\nline', 9],
  ])('%s', (text, weight) => {
    expect(weightedLength(text)).toBe(weight);
  });
});
