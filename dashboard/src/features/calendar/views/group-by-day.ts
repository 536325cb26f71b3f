import { type PostSummary, timeOf } from '../../../lib/posts/post-summary.ts';
import { addDays, type DateKey, dateKeyOf, startOfDay } from '../../../lib/time/time.ts';

export type ByDay = ReadonlyMap<DateKey, readonly PostSummary[]>;

export function groupByDay(posts: readonly PostSummary[], zone: string): ByDay {
  const days = new Map<DateKey, PostSummary[]>();
  const timed = posts.flatMap((post) => {
    const time = timeOf(post);
    return time ? [{ post, time }] : [];
  });
  timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  let day = '';
  let endOfDay = Number.NEGATIVE_INFINITY;
  for (const { post, time } of timed) {
    const at = new Date(time).getTime();
    // Most posts are on the same day as the previous one. This check is faster than a time zone lookup.
    if (at >= endOfDay) {
      day = dateKeyOf(at, zone);
      endOfDay = startOfDay(addDays(day, 1), zone).getTime();
    }
    const others = days.get(day);
    if (others) others.push(post);
    else days.set(day, [post]);
  }
  return days;
}
