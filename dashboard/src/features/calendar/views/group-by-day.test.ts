import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { dateKeyOf } from '../../../lib/time/time.ts';
import { groupByDay } from './group-by-day.ts';

const scheduledAt = (time: number) =>
  ({ postGroupId: String(time), status: 'scheduled', scheduledTime: new Date(time).toISOString() }) as PostSummary;

/** In the last two, clocks went back at midnight, so an hour of a day came after the end of that day. */
const zones = ['UTC', 'Europe/Berlin', 'Pacific/Apia', 'Asia/Kathmandu', 'America/Sao_Paulo', 'America/Asuncion'];
const around = [
  Date.UTC(2026, 2, 29),
  Date.UTC(2026, 9, 25),
  Date.UTC(2011, 11, 30),
  Date.UTC(2018, 1, 18),
  Date.UTC(2024, 2, 24),
];

test.each(zones)('groups posts by local day in %s, in chronological order', (zone) => {
  const time = fc
    .tuple(fc.constantFrom(...around), fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 }))
    .map(([middle, ms]) => middle + ms);
  fc.assert(
    fc.property(fc.uniqueArray(time, { maxLength: 60 }), (times) => {
      const sorted = times.toSorted((one, other) => one - other);
      const expected = Map.groupBy(sorted, (at) => dateKeyOf(at, zone));
      const found = [...groupByDay(times.map(scheduledAt), zone)].map(
        ([day, posts]) => [day, posts.map(({ postGroupId }) => Number(postGroupId))] as const,
      );
      expect(found).toEqual([...expected]);
    }),
  );
});
