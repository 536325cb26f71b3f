import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, jsonExcess, parseSmallJson } from './json.ts';

const limits = { values: 20, levels: 3 };

test.each([
  ['nothing', '', null],
  ['an ordinary body', '{"content":"a","platforms":["b","c"]}', null],
  ['levels within the limit', '[[[1]]]', null],
  ['levels beside each other', '[[],[],{"a":[]},[]]', null],
  ['too many levels', '[{"a":[{}]}]', 'levels'],
  ['levels that never end', '['.repeat(1_000_000), 'levels'],
  ['brackets in a text', `["${'[{'.repeat(100)}"]`, null],
  ['brackets after an escaped quote', `["\\"${'[{'.repeat(100)}"]`, null],
  ['brackets after a text that ends with a backslash', '["\\\\",[[[]]]]', 'levels'],
  ['too many entries', `[${'1,'.repeat(20)}1]`, 'values'],
  ['too many fields', `{${'"a":1,'.repeat(20)}"b":1}`, 'values'],
  ['too many empty lists', `[${'[],'.repeat(10)}[]]`, 'values'],
  ['commas and colons in a text', `["${',:'.repeat(100)}"]`, null],
])('%s', (_, text, excess) => {
  expect(jsonExcess(text, limits)).toBe(excess);
});

test('entries of lists can be limited more than fields', () => {
  const few = { ...limits, items: 5 };
  expect(jsonExcess(`{${'"a":1,'.repeat(10)}"b":[1,2,3]}`, few)).toBe(null);
  expect(jsonExcess('{"a":[1,2,3],"b":[4,5,6]}', few)).toBe('items');
});

test('counts every value and level of a JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
      const { values, levels } = sizeOf(value as Json);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        expect(jsonExcess(text, { values, levels })).toBe(null);
        if (levels > 0) expect(jsonExcess(text, { values, levels: levels - 1 })).toBe('levels');
        if (values > 0) expect(jsonExcess(text, { values: values - 1, levels })).toBe('values');
      }
    }),
  );
});

/** The containers, and all entries of each except the first. */
function sizeOf(value: Json): { values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, levels: 0 };
  const inside = Object.values(value).map(sizeOf);
  return {
    values: inside.reduce((sum, { values }) => sum + values, Math.max(1, inside.length)),
    levels: 1 + Math.max(0, ...inside.map(({ levels }) => levels)),
  };
}

test('JSON in a text is parsed within the limits of a request', () => {
  expect(parseSmallJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(() => parseSmallJson('['.repeat(300) + ']'.repeat(300))).toThrow(SyntaxError);
  expect(() => parseSmallJson(`[${'1,'.repeat(100_000)}1]`)).toThrow(SyntaxError);
});
