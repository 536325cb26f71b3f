import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from './chunks.ts';
import { limits } from './limits.ts';

/** As an upload goes through the file, from a byte on. */
function piecesOf(bytes: number, from = 0): number[] {
  const { endOf } = chunksOf(bytes);
  const ends: number[] = [];
  for (let start = from; start < bytes; start = endOf(start)) ends.push(endOf(start));
  return ends;
}
const sizes = fc.integer({ min: 1, max: limits.video.maxBytes });

test("the vendor's own example: what is left over goes with the last piece", () => {
  expect(chunksOf(50_000_123)).toMatchObject({ size: 10_000_000, count: 5 });
  expect(piecesOf(50_000_123)).toEqual([10_000_000, 20_000_000, 30_000_000, 40_000_000, 50_000_123]);
});

test('a small file goes whole', () => {
  expect(chunksOf(4_999_999)).toMatchObject({ size: 4_999_999, count: 1 });
  expect(piecesOf(4_999_999)).toEqual([4_999_999]);
});

test('files of all sizes are announced and cut as TikTok wants it', () => {
  fc.assert(
    fc.property(sizes, (bytes) => {
      const { size, count } = chunksOf(bytes);
      expect(count).toBe(Math.floor(bytes / size));
      expect(count).toBeLessThanOrEqual(1000);
      expect(size).toBeLessThanOrEqual(64_000_000);
      if (count > 1) expect(size).toBeGreaterThanOrEqual(5 * 1024 * 1024);
      const ends = piecesOf(bytes);
      expect(ends).toHaveLength(count);
      expect(ends.at(-1)).toBe(bytes);
      expect(ends.slice(0, -1)).toEqual(ends.slice(0, -1).map((_, index) => (index + 1) * size));
      expect(bytes - (count - 1) * size).toBeLessThanOrEqual(64_000_000);
    }),
  );
});

test('what is left of a broken upload ends where the pieces of the whole would', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (bytes, share) => {
      const from = Math.floor(bytes * share);
      expect(piecesOf(bytes, from)).toEqual(piecesOf(bytes).filter((end) => end > from));
    }),
  );
});
