import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idMaker, isId } from './ids.ts';

test('an id is 24 hex digits that begin with the time in milliseconds', () => {
  const id = idMaker({ now: () => new Date(1_800_000_000_000) })();
  expect(isId(id)).toBe(true);
  expect(Number.parseInt(id.slice(0, 12), 16)).toBe(1_800_000_000_000);
});

test('ids of one maker sort in the order in which they were made, also within a millisecond', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { minLength: 2, maxLength: 200 }), (steps) => {
      let ms = 1_700_000_000_000;
      const newId = idMaker({ now: () => new Date(ms) });
      const ids = steps.map((step) => {
        ms += step;
        return newId();
      });
      expect(ids).toEqual([...ids].sort());
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('nothing but 24 hex digits is an id', () => {
  for (const no of ['', 'x'.repeat(24), 'a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(24)}\n`, null, 7]) {
    expect(isId(no)).toBe(false);
  }
});
