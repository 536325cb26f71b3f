import { describe, expect, test } from 'vitest';
import { finish } from './in-turns.ts';
import { splitThread, type ThreadRules } from './split-thread.ts';

const splitText = (text: string, by: ThreadRules) => finish(splitThread(text, by));

const rules = { limit: 30, unit: 'weighted', cuts: ['paragraph', 'sentence', 'word'] } as const satisfies ThreadRules;
const withLines = { ...rules, cuts: ['paragraph', 'line', 'sentence', 'word'] } as const satisfies ThreadRules;

function partsOf(text: string, by: ThreadRules = rules): string[] {
  const split = splitText(text, by);
  return split.kind === 'thread' ? split.parts : [split.kind];
}

describe('a text without separators', () => {
  test('is one post, as written, up to the limit', () => {
    expect(splitText(' a\n', rules)).toEqual({ kind: 'post', text: ' a\n' });
    expect(splitText('a'.repeat(30), rules).kind).toBe('post');
    expect(splitText('a'.repeat(31), rules).kind).toBe('thread');
  });

  test('is one post when only the white space around it is over the limit', () => {
    expect(splitText(`\n${'a'.repeat(30)}\n`, rules)).toEqual({ kind: 'post', text: 'a'.repeat(30) });
    expect(splitText(' '.repeat(31), rules)).toEqual({ kind: 'post', text: '' });
  });

  test('is numbered, with ten characters kept for the number in each part', () => {
    expect(splitText('a'.repeat(31), rules)).toEqual({
      kind: 'thread',
      parts: [`${'a'.repeat(20)} (1/2)`, `${'a'.repeat(11)} (2/2)`],
      numbered: true,
      oversized: [],
    });
  });

  test('counts as the network does: an emoji or a Chinese letter is two', () => {
    expect(partsOf('👩‍👩‍👧‍👦'.repeat(16))).toEqual([`${'👩‍👩‍👧‍👦'.repeat(10)} (1/2)`, `${'👩‍👩‍👧‍👦'.repeat(6)} (2/2)`]);
    expect(partsOf('漢'.repeat(16))).toEqual([`${'漢'.repeat(10)} (1/2)`, `${'漢'.repeat(6)} (2/2)`]);
  });

  test('becomes 999 parts at most', () => {
    expect(partsOf('a'.repeat(20 * 999))).toHaveLength(999);
    expect(partsOf('a'.repeat(20 * 999)).at(-1)).toBe(`${'a'.repeat(20)} (999/999)`);
    expect(splitText('a'.repeat(20 * 999 + 1), rules)).toEqual({ kind: 'too-long' });
    expect(splitText('room enough\n\n'.repeat(1000), rules)).toEqual({ kind: 'too-long' });
  });

  test('is too long when one character alone is over the limit', () => {
    expect(splitText(`a e${'\u0301'.repeat(40)} b`, rules)).toEqual({ kind: 'too-long' });
    expect(splitText('ab', { ...rules, limit: 1 })).toEqual({ kind: 'too-long' });
  });
});

describe('a cut is made', () => {
  test.each([
    ['at an empty line first', 'One. Two\n\nThree. Four five six seven', ['One. Two', 'Three.', 'Four five six seven']],
    ['at an empty line of CR LF', 'One. Two\r\n\r\nThree four five six', ['One. Two', 'Three four five six']],
    ['at the last sentence end', 'One. Two! Three? Four five six seven', ['One. Two! Three?', 'Four five six seven']],
    [
      'at a sentence end on a line',
      'One two.\nThree four five six seven',
      ['One two.', 'Three four five six', 'seven'],
    ],
    ['at the last word', 'one two three four five six seven eight', ['one two three four', 'five six seven eight']],
    ['at no full stop in a word', 'version 2.0 three 4.five six.7 8', ['version 2.0 three', '4.five six.7 8']],
    ['anywhere in a word over the limit', 'x'.repeat(45), ['x'.repeat(20), 'x'.repeat(20), 'xxxxx']],
    ['before a word over the limit', `see ${'x'.repeat(30)}`, ['see', 'x'.repeat(20), 'x'.repeat(10)]],
    [
      'at no space that forbids it',
      'one two four six 10\u00a0000 five six',
      ['one two four six', '10\u00a0000 five six'],
    ],
    ['after a Japanese sentence', '「はい。」だ。そうです。漢字漢字', ['「はい。」だ。', 'そうです。漢字漢字']],
  ])('%s', (_, text, parts) => {
    const numbered = parts.map((part, i) => `${part} (${i + 1}/${parts.length})`);
    expect(partsOf(text)).toEqual(numbered);
  });

  test('at a line break only where the network asks for it', () => {
    const text = 'One. Two\nthree four. Five six seven';
    expect(partsOf(text, withLines)).toEqual(['One. Two (1/3)', 'three four. (2/3)', 'Five six seven (3/3)']);
    expect(partsOf(text)).toEqual(['One. Two\nthree four. (1/2)', 'Five six seven (2/2)']);
  });
});

describe('white space at the ends', () => {
  test.each([
    [
      'that carries a mark is kept',
      ` \u0301${'a'.repeat(31)}`,
      [` \u0301${'a'.repeat(18)} (1/2)`, `${'a'.repeat(13)} (2/2)`],
    ],
    [
      'that belongs to the sign before it is kept',
      `${'a'.repeat(31)}\u0600  `,
      [`${'a'.repeat(20)} (1/2)`, `${'a'.repeat(11)}\u0600  (2/2)`],
    ],
    [
      'is removed from every part',
      `\r\n${'a'.repeat(20)} \u3000 b${'c'.repeat(10)}\ufeff`,
      [`${'a'.repeat(20)} (1/2)`, `b${'c'.repeat(10)} (2/2)`],
    ],
  ])('%s', (_, text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });
});

describe('texts of nothing but markup', () => {
  test.each([
    ['[a](', 14, [26, 26, 22]],
    ['((((', 14, [26, 26, 22]],
    ['@@@@', 14, [26, 26, 22]],
    ['####a', 12, [26, 26, 26]],
    ['https://', 9, [26, 26, 26, 18]],
    ['漢。', 24, [16, 16, 16, 16, 14]],
  ])('%j, repeated %i times, is cut into parts of these lengths', (repeated, times, lengths) => {
    expect(partsOf(repeated.repeat(times)).map((part) => part.length)).toEqual(lengths);
  });
});
