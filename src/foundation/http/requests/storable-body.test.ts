import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlain, isStorable } from './storable-body.ts';

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud83d', 'a\\u0000', '\\ud800', '🎉'));

test('a body whose JSON text is plain can be stored, however it is spelled', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(texts), (value, list) => {
      const body = { value, list, [list[0] ?? '']: 1 };
      for (const json of [JSON.stringify(body), escaped(JSON.stringify(body))]) {
        if (isPlain(json)) expect(isStorable(JSON.parse(json))).toBe(true);
      }
    }),
  );
});

/** Escapes each non-ASCII character. */
const escaped = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`);

test.each([
  ['an ordinary post', '{"content":"Grüße \\n 🎉"}', true],
  ['a null character', '{"content":"\\u0000"}', false],
  ['half of a pair, as an escape', '{"content":"\\uD83D"}', false],
  ['half of a pair', '{"content":"\ud83d"}', false],
  ['an emoji as two escapes, which has to be looked at', '{"content":"\\ud83c\\udf89"}', false],
])('%s', (_, json, plain) => {
  expect(isPlain(json)).toBe(plain);
});
