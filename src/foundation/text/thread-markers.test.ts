import { describe, expect, test } from 'vitest';
import { finish } from './in-turns.ts';
import { splitThread, type ThreadRules } from './split-thread.ts';

const splitText = (text: string, by: ThreadRules) => finish(splitThread(text, by));

const rules = { limit: 30, unit: 'weighted', cuts: ['paragraph', 'sentence', 'word'] } as const satisfies ThreadRules;

function partsOf(text: string): string[] {
  const split = splitText(text, rules);
  return split.kind === 'thread' ? split.parts : [split.kind];
}

describe('lines of ---', () => {
  test('make a thread of a text that would fit, without numbers', () => {
    expect(splitText('One\n---\nTwo', rules)).toEqual({
      kind: 'thread',
      parts: ['One', 'Two'],
      numbered: false,
      oversized: [],
    });
  });

  test.each([
    ['leave line breaks inside the parts alone', 'One\n\ntwo \n---\n  Three', ['One\n\ntwo', 'Three']],
    ['may end in CR LF', 'One\r\n---\r\nTwo\r\n2\r\n---\r\nThree', ['One', 'Two\r\n2', 'Three']],
    ['make no empty part', 'One\n---\n---\n\n---\nTwo', ['One', 'Two']],
    [
      'cut a part over the limit further, still unnumbered',
      `One\n---\n${'a'.repeat(31)}`,
      ['One', 'a'.repeat(30), 'a'],
    ],
    ['are text at the very start and end', '---\nOne\n---\nTwo\n---', ['---\nOne', 'Two\n---']],
    ['are text with only white space before or after', '\n---\nOne\n---\nTwo\n---\n', ['---\nOne', 'Two\n---']],
    ['come before markers', 'One [1/2]\n---\nTwo [2/2]', ['One [1/2]', 'Two [2/2]']],
  ])('%s', (_, text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  test.each([
    '---\nOne',
    'One\n---',
    'One\n---\n',
    'One\n----\nTwo',
    'One\n--\nTwo',
    'One\n--- x\nTwo',
    'One --- Two',
    'One\n ---\nTwo',
  ])('%j has none', (text) => {
    expect(splitText(text, rules)).toEqual({ kind: 'post', text });
  });

  test('[threads.max-parts] make 999 parts at most', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `Part ${i}`).join('\n---\n');
    expect(partsOf(lines(999))).toHaveLength(999);
    expect(splitText(lines(1000), rules)).toEqual({ kind: 'too-long' });
    expect(splitText(`${lines(998)}${' cut further'.repeat(10)}`, rules)).toEqual({ kind: 'too-long' });
  });

  test('report a part that cannot be cut to the limit', () => {
    expect(splitText(`One\n---\ne${'\u0301'.repeat(40)}`, rules)).toMatchObject({ kind: 'thread', oversized: [1] });
  });
});

describe('markers', () => {
  test('end their parts and stay in the text', () => {
    expect(splitText('One [1/2]\n\nTwo\n[2/2]', rules)).toEqual({
      kind: 'thread',
      parts: ['One [1/2]', 'Two\n[2/2]'],
      numbered: false,
      oversized: [],
    });
    expect(partsOf('One [1/3] two [2/3]three[3/3]')).toEqual(['One [1/3]', 'two [2/3]', 'three[3/3]']);
  });

  test('[threads.markers] begin their parts in a text that begins with the first one', () => {
    expect(splitText('[1/2] One [2/2] Two', rules)).toEqual({
      kind: 'thread',
      parts: ['[1/2] One', '[2/2] Two'],
      numbered: false,
      oversized: [],
    });
    expect(partsOf('\n[1/3]\nOne\n\n[2/3] Two[3/3]Three\n')).toEqual(['[1/3]\nOne', '[2/3] Two', '[3/3]Three']);
    expect(splitText(`[1/2] One [2/2] ${'a'.repeat(31)}`, rules)).toMatchObject({ oversized: [1] });
  });

  test('never have a part cut further: one over the limit is reported', () => {
    const long = `${'a'.repeat(31)} [2/3]`;
    expect(splitText(`One [1/3] ${long} Three [3/3]`, rules)).toMatchObject({
      parts: ['One [1/3]', long, 'Three [3/3]'],
      oversized: [1],
    });
  });

  test('[threads.max-parts] make 999 parts at most', () => {
    const marked = (count: number) => Array.from({ length: count }, (_, i) => `Part [${i + 1}/${count}]`).join(' ');
    expect(partsOf(marked(999))).toHaveLength(999);
    expect(splitText(marked(1000), rules)).toEqual({ kind: 'too-long' });
  });

  test('leave what follows the last one in the last part', () => {
    expect(partsOf('One [1/2] Two [2/2]\n#tag')).toEqual(['One [1/2]', 'Two [2/2]\n#tag']);
  });

  test.each([
    ['one is missing', 'One [1/3] Two [3/3]'],
    ['the last is missing', 'One [1/3] Two [2/3] Three'],
    ['one comes twice', 'One [1/2] Two [1/2] c [2/2]'],
    ['they are out of order', 'Two [2/2] One [1/2]'],
    ['totals are mixed', 'One [1/2] Two [2/3]'],
    ['a second set follows', 'One [1/2] Two [2/2] c [1/3]'],
    ['there is but one', 'One [1/1]'],
    ['they are in round brackets', 'One (1/2) Two (2/2)'],
    ['they have leading zeros', 'One [01/02] Two [02/02]'],
    ['a leading one has no text', '[1/3] One [2/3] [3/3] Three'],
    ['a part is empty', 'One [1/3] [2/3] Three [3/3]'],
    ['a combining mark clings to one', 'One [1/2]\u0301 Two [2/2]'],
  ])('are ordinary text when %s', (_, text) => {
    expect(splitText(text, rules)).toEqual({ kind: 'post', text });
    expect(splitText(`${text} ${'a'.repeat(20)}`, { ...rules, limit: 25 })).toMatchObject({ numbered: true });
  });
});
