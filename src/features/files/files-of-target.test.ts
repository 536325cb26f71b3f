import { expect, test } from 'vitest';
import { filesOfTarget, idsInUse } from './files-of-target.ts';

const ids = Array.from({ length: 2_000 }, (_, index) => String(index));

test('a list of many files is matched without reading all files for each', () => {
  let reads = 0;
  const countedFile = (name: string) => ({
    get id() {
      reads += 1;
      return name;
    },
    shared: false,
  });
  const found = filesOfTarget(ids.toReversed(), ids.map(countedFile));
  expect(reads).toBe(ids.length);
  expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
});

test('the files in use are those that are listed, and the shared ones if a target has no list', () => {
  const files = { mediaIds: ['a', 'b', 'c'], unsharedIds: ['b'] };
  expect(idsInUse([{ mediaIds: ['b'] }], files)).toEqual(['b']);
  expect(idsInUse([{ mediaIds: ['b'] }, { mediaIds: null }], files)).toEqual(['a', 'b', 'c']);
  expect(idsInUse([{ mediaIds: ['gone'] }], files)).toEqual([]);
});
