import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameText } from '../graph/find.ts';
import { littleText, plainText } from '../linkedin/text.ts';
import { comparable, isTextOf } from '../twitter/match-text.ts';
import { fingerprint } from './fingerprint.ts';

describe('texts that a search cannot tell apart have the same fingerprint', () => {
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 6 });
  const blank = fc.constantFrom(' ', '\n', '  ', '\t\n', '\u00a0');
  /** The same words with different spacing. */
  const alike = fc
    .tuple(words, fc.array(blank, { minLength: 12, maxLength: 12 }))
    .map(([list, blanks]) => [list.join(' '), list.map((word, index) => word + blanks[index]).join('')] as const);

  test('on Meta’s networks and YouTube, which change white space', () => {
    fc.assert(
      fc.property(alike, ([one, other]) => {
        fc.pre(sameText(one, other));
        expect(fingerprint(one)).toBe(fingerprint(other));
      }),
    );
  });

  test('on LinkedIn, which escapes characters and rewrites hashtags', () => {
    fc.assert(
      fc.property(words, (list) => {
        const text = `${list.join(' ')} #launch (now)`;
        const shown = littleText(text).replace('#launch', '{hashtag|\\#|launch}');
        expect(fingerprint(plainText(shown))).toBe(fingerprint(plainText(littleText(text))));
      }),
    );
  });

  test.for([
    ['See https://Example.com/a today', 'See http://example.com/a today'],
    ['See example.com', 'See https://example.com/'],
    ['See https://münchen.de', 'See xn--mnchen-3ya.de'],
    ['A &amp; B', 'A & B'],
    ['Fish\nand chips', 'Fish and  chips'],
  ])('on X, which replaces links and escapes characters: %j', ([one, other]) => {
    const [link] = /(?<=See )\S+/.exec(one!) ?? [];
    const urls = link
      ? [{ url: 'https://t.co/abc', expanded_url: new URL(`https://${link.replace(/^https?:\/\//, '')}`).href }]
      : [];
    const listed = { text: link ? one!.replace(link, 'https://t.co/abc') : one!, entities: { urls } };
    expect([isTextOf(listed, one!), isTextOf(listed, other!)]).toEqual([true, true]);
    expect(fingerprint(comparable(one!))).toBe(fingerprint(comparable(other!)));
  });
});

test('texts with other words, and replies to other posts, have different fingerprints', () => {
  const prints = [
    fingerprint('Our shop opens at nine'),
    fingerprint('Our shop opens at ten'),
    fingerprint('Our shop opens at nine', 'post-1'),
    fingerprint('Our shop opens at nine', 'post-2'),
    fingerprint('Our shop opens at nine', null),
  ];
  expect(new Set(prints).size).toBe(prints.length);
});
