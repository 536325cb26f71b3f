import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { toAtoms } from './atoms.ts';
import { cutAtoms } from './cut-text.ts';
import { graphemesOf } from './graphemes.ts';
import { finish } from './in-turns.ts';
import { textLength } from './length.ts';
import { splitThread, type ThreadRules } from './split-thread.ts';

const splitText = (text: string, by: ThreadRules) => finish(splitThread(text, by));

// Shrinking a long text to the shortest failing one can take minutes.
fc.configureGlobal({ interruptAfterTimeLimit: 10_000 });

const cjk = fc.string({ unit: fc.constantFrom(...'漢字かなカナ한글、。！'), maxLength: 80, size: 'max' });
const anyOf = (...items: string[]) => fc.constantFrom(...items);
const piece = fc.oneof(
  anyOf('👩‍👩‍👧‍👦', '👨🏽‍🚀', '🇩🇪', '🇩', '👍🏿', '1️⃣', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
  anyOf('e\u0301', ' \u0301', 'नमस्ते', 'q\u0323\u0307', '\u0600 ', '각', '\u200d', '\ud83d'),
  anyOf('word', 'One.', 'Go!', 'why?', 'שלום', 'مرحبا', '(1/2)', '\u200f', 'a'.repeat(70)),
  anyOf('https://example.com/a?b=c#d', '@ann', '@ann@host.example', '#tag', '#日本語'),
  anyOf(' ', '  ', '\n', '\n\n', '\r\n', '\r\n\r\n', '\t', '\u00a0', '\u3000'),
  cjk,
  anyString({ maxLength: 8 }),
);
const text = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 60, size: 'max' }), anyOf('', ' '))
  .map(([all, by]) => all.join(by));
const rules: fc.Arbitrary<ThreadRules> = fc.record({
  limit: fc.integer({ min: 60, max: 300 }),
  unit: fc.constantFrom('utf16', 'codepoint', 'grapheme', 'weighted', 'fediverse'),
  urlLength: fc.constantFrom(undefined, 10, 23, 50),
  cuts: fc.subarray(['paragraph', 'line', 'sentence', 'word'] as const),
});

const withoutBlanks = (written: string) => written.replace(/\s/g, '');
const solidGraphemes = (written: string) => finish(graphemesOf(written)).filter((grapheme) => grapheme.trim() !== '');

/** The parts of a text without their numbers; the text itself if it is a single post. */
function cut(written: string, by: ThreadRules): string[] {
  const split = splitText(written, by);
  if (split.kind === 'post') return [split.text];
  if (split.kind === 'too-long') throw new Error('The generated texts fit 999 parts.');
  const { parts, numbered } = split;
  return numbered ? parts.map((part, i) => part.slice(0, -` (${i + 1}/${parts.length})`.length)) : parts;
}

describe('for every text, limit, unit and list of cuts', () => {
  test('only white space is lost', () => {
    fc.assert(
      fc.property(text, rules, (written, by) => {
        expect(withoutBlanks(cut(written, by).join(''))).toBe(withoutBlanks(written));
      }),
    );
  });

  test('every part is within the limit, its number included, and none is empty', () => {
    fc.assert(
      fc.property(text, rules, (written, by) => {
        const split = splitText(written, by);
        if (split.kind !== 'thread') return;
        for (const part of split.parts) expect(textLength(part, by.unit, by.urlLength)).toBeLessThanOrEqual(by.limit);
        for (const part of cut(written, by)) expect(part.trim()).not.toBe('');
      }),
    );
  });

  test('no cut is inside a grapheme', () => {
    fc.assert(
      fc.property(text, rules, (written, by) => {
        expect(cut(written, by).flatMap(solidGraphemes)).toEqual(solidGraphemes(written));
      }),
    );
  });

  test('links, mentions and hashtags that fit a part stay whole, also between letters without spaces', () => {
    const token = anyOf('https://example.com/?q=', 'www.example.com/', '@ann_', '@ann@host.example', '#tag', '#漢字');
    fc.assert(
      fc.property(fc.array(fc.tuple(cjk, token), { maxLength: 30, size: 'max' }), rules, (pairs, by) => {
        const tokens = pairs.map(([, start], i) => `${start}${1000 + i}`);
        const parts = cut(pairs.map(([filling], i) => `${filling}、${tokens[i]}、`).join(''), by);
        for (const whole of tokens) expect(parts.filter((part) => part.includes(whole))).toHaveLength(1);
      }),
    );
  });

  test('words that fit a part stay whole', () => {
    const word = fc.string({ unit: anyOf(...'abc.!?é漢(#@/'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 80, size: 'max' }), rules, (words, by) => {
        const parts = cut(words.join(' '), { ...by, cuts: [...by.cuts.filter((kind) => kind !== 'word'), 'word'] });
        expect(parts.flatMap((part) => part.split(' '))).toEqual(words.flatMap((one) => one.split(' ')));
      }),
    );
  });

  test('splitting a part again gives the same part', () => {
    fc.assert(
      fc.property(text, rules, (written, by) => {
        const parts = cut(written, by);
        expect(cut(written, by)).toEqual(parts);
        for (const part of parts) expect(splitText(part, by)).toEqual({ kind: 'post', text: part });
      }),
    );
  });

  test('lines of --- decide where the text is split', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), rules, (all, by) => {
        const written = all.map((part) => `x${part}x`);
        const split = splitText(written.join('\n---\n'), by);
        expect(split).toMatchObject({ kind: 'thread', numbered: false, oversized: [] });
        expect(withoutBlanks(cut(written.join('\n---\n'), by).join(''))).toBe(withoutBlanks(written.join('')));
      }),
    );
  });
});

describe('time grows with the length of the text', () => {
  const ends = anyOf('a\n\n', 'a\nb', 'a. ', 'a ', '漢。', 'a'.repeat(90), 'b'.repeat(500));

  test('each character is looked at a few times, wherever the best cuts are', () => {
    fc.assert(
      fc.property(fc.array(ends, { minLength: 1, maxLength: 8 }), rules, (pattern, by) => {
        const once = pattern.join('');
        const atoms = finish(toAtoms(once.repeat(Math.ceil(3000 / once.length)), by.limit, by));
        let looks = 0;
        const get = (target: typeof atoms, key: PropertyKey) => {
          looks += 1;
          return Reflect.get(target, key);
        };
        finish(cutAtoms(new Proxy(atoms, { get }), by));
        expect(looks).toBeLessThan(atoms.length * 20);
      }),
    );
  });

  // At 200 to 500 ms each, only quadratic growth would exceed the test timeout.
  const repeats = ['a', '@a', '@a.', 'https://', 'www.', ' ', 'a\n\n', 'a. ', '漢', 'e\u0301', '[1/2]', '\n---\n'];
  test.each(repeats)('100,000 characters of %j are cut', (repeated) => {
    const written = `a${repeated.repeat(100_000 / repeated.length)}b`;
    const split = splitText(written, { limit: 500, unit: 'weighted', cuts: ['paragraph', 'sentence', 'word'] });
    expect(split.kind).toBe('thread');
  });
});
