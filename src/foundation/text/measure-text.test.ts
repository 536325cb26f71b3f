import { describe, expect, test } from 'vitest';
import { finish } from './in-turns.ts';
import { measureText } from './measure-text.ts';

const rules = { max: 30, unit: 'weighted', cuts: ['paragraph', 'word'] } as const;
const measure = (text: string, more: object = {}) => finish(measureText(text, { ...rules, ...more }));

test('a text within the limit is one post without parts', () => {
  expect(measure('Hé 👩‍👩‍👧')).toEqual({
    content: 'Hé 👩‍👩‍👧',
    split: { kind: 'post', text: 'Hé 👩‍👩‍👧' },
    parts: [],
    length: 5,
    networkLength: null,
    bytes: 22,
    oversized: [],
    most: { hashtags: 0, mentions: 0, links: 0 },
  });
});

test('a text that fits only without the white space around it is trimmed', () => {
  expect(measure(`${'a'.repeat(30)}\n`)).toMatchObject({ content: 'a'.repeat(30), length: 30 });
});

describe('a longer text', () => {
  test('becomes a thread, and its length is that of the whole text', () => {
    const { content, parts, length } = measure(`${'a'.repeat(20)} ${'b'.repeat(20)}`);
    expect(parts).toEqual([`${'a'.repeat(20)} (1/2)`, `${'b'.repeat(20)} (2/2)`]);
    expect([content, length]).toEqual([`${'a'.repeat(20)} ${'b'.repeat(20)}`, 41]);
  });

  test('stays whole where there are no threads', () => {
    const { parts, length } = measure('a'.repeat(41), { cuts: null });
    expect([parts, length]).toEqual([[], 41]);
  });
});

test('links count what the rule says, and the network may count another length', () => {
  const text = 'See https://example.com/a';
  expect(measure(text)).toMatchObject({ length: 25, networkLength: null });
  expect(measure(text, { urlLength: 10 })).toMatchObject({ length: 14, networkLength: null });
  expect(measure(text, { shownUrlLength: 23 })).toMatchObject({ length: 25, networkLength: 27 });
});

test("the first 20 of the author's own parts over the limit are reported with their lengths", () => {
  const marked = Array.from({ length: 25 }, (_, i) => `${'a'.repeat(30 + i)} [${i + 1}/25]`).join('\n');
  const { oversized } = measure(marked);
  expect(oversized).toHaveLength(20);
  expect(oversized.slice(0, 2)).toEqual([
    { index: 0, length: 37 },
    { index: 1, length: 38 },
  ]);
});

test('hashtags, mentions and links are counted in the post of a thread that has most', () => {
  const text = '#a #b @ann\n---\n#c @ann @bob\n---\nhttps://example.com';
  expect(measure(text).most).toEqual({ hashtags: 2, mentions: 2, links: 1 });
});
