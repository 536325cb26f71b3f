import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinBounds, type JsonBounds } from './json-bounds.ts';

const none: JsonBounds = { depth: 1000, items: 1000, fields: 1000 };

/** The smallest bounds that the value is within, counted on the parsed value. */
function sizeOf(value: unknown): JsonBounds {
  if (typeof value !== 'object' || value === null) return { depth: 0, items: 0, fields: 0 };
  const inner = Object.values(value).map(sizeOf);
  const sum = (name: 'items' | 'fields') => inner.reduce((total, size) => total + size[name], 0);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    items: sum('items') + (Array.isArray(value) ? inner.length : 0),
    fields: sum('fields') + (Array.isArray(value) ? 0 : inner.length),
  };
}

test('levels, items and fields are counted as in the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const size = sizeOf(value);
      expect(isWithinBounds(text, size)).toBe(true);
      for (const name of ['depth', 'items', 'fields'] as const) {
        if (size[name] > 0) expect(isWithinBounds(text, { ...size, [name]: size[name] - 1 })).toBe(false);
      }
    }),
  );
});

test.each([
  ['brackets and commas in a text', JSON.stringify(`${'[{,:'.repeat(2000)}"\\`)],
  ['a text that never ends', `"${'[,'.repeat(2000)}`],
  ['nothing', ''],
])('%s count for nothing', (_, text) => {
  expect(isWithinBounds(text, { depth: 0, items: 0, fields: 0 })).toBe(true);
});

test.each([
  ['brackets', '['.repeat(1001)],
  ['braces', '{"a":'.repeat(1001)],
  ['items', `[${'1,'.repeat(1000)}1]`],
  ['fields', `{${'"a":1,'.repeat(1000)}"a":1}`],
])('too many %s are out of bounds, also where they never end', (_, text) => {
  expect(isWithinBounds(text, none)).toBe(false);
});
