import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from './chunks.ts';
import { limits } from './limits.ts';

/** The chunk ends of an upload that starts at a byte. */
function chunkEnds(bytes: number, from = 0): number[] {
  const { endOf } = chunksOf(bytes);
  const ends: number[] = [];
  for (let start = from; start < bytes; start = endOf(start)) ends.push(endOf(start));
  return ends;
}
const sizes = fc.integer({ min: 1, max: limits.video.maxBytes });

test("TikTok's own example: the remainder belongs to the last chunk", () => {
  expect(chunksOf(50_000_123)).toMatchObject({ size: 10_000_000, count: 5 });
  expect(chunkEnds(50_000_123)).toEqual([10_000_000, 20_000_000, 30_000_000, 40_000_000, 50_000_123]);
});

test('a small file is one chunk', () => {
  expect(chunksOf(4_999_999)).toMatchObject({ size: 4_999_999, count: 1 });
  expect(chunkEnds(4_999_999)).toEqual([4_999_999]);
});

test('files of all sizes are split as TikTok requires', () => {
  fc.assert(
    fc.property(sizes, (bytes) => {
      const { size, count } = chunksOf(bytes);
      expect(count).toBe(Math.floor(bytes / size));
      expect(count).toBeLessThanOrEqual(1000);
      expect(size).toBeLessThanOrEqual(64_000_000);
      if (count > 1) expect(size).toBeGreaterThanOrEqual(5 * 1024 * 1024);
      const ends = chunkEnds(bytes);
      expect(ends).toHaveLength(count);
      expect(ends.at(-1)).toBe(bytes);
      expect(ends.slice(0, -1)).toEqual(ends.slice(0, -1).map((_, index) => (index + 1) * size));
      expect(bytes - (count - 1) * size).toBeLessThanOrEqual(64_000_000);
    }),
  );
});

test('a resumed upload ends its chunks where a whole upload would', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (bytes, share) => {
      const from = Math.floor(bytes * share);
      expect(chunkEnds(bytes, from)).toEqual(chunkEnds(bytes).filter((end) => end > from));
    }),
  );
});
