import { count } from '../../../lib/posts/post-summary.ts';
import { clockOf } from '../../../lib/time/time.ts';
import type { NewSlots } from '../slots/add-slots.tsx';

/** Working days, without statistics. */
export const commonTimes: readonly Omit<NewSlots, 'platformId'>[] = [
  { weekdays: [1, 2, 3, 4, 5], time: '09:00' },
  { weekdays: [1, 2, 3, 4, 5], time: '17:00' },
];

/** A published post with what people did with it. */
export interface PostResult {
  publishedAt: string;
  interactions: number;
}

export interface Suggestion {
  times: readonly Omit<NewSlots, 'platformId'>[];
  /** Where the times come from. */
  basis: string;
}

/** Fewer posts say nothing about hours. */
const minPosts = 10;
const minPerHour = 2;
const maxHours = 2;

/** The hours in which posts got most interactions on average. Null if there are too few posts to tell. */
export function bestHours(results: readonly PostResult[], zone: string): Suggestion | null {
  if (results.length < minPosts || results.every(({ interactions }) => interactions === 0)) return null;
  const byHour = Map.groupBy(results, ({ publishedAt }) => `${clockOf(publishedAt, zone).slice(0, 2)}:00`);
  const hours = [...byHour]
    .filter(([, posts]) => posts.length >= minPerHour)
    .map(([time, posts]) => ({ time, average: posts.reduce((sum, post) => sum + post.interactions, 0) / posts.length }))
    .sort((a, b) => b.average - a.average)
    .slice(0, maxHours);
  // A single hour has nothing to be compared with.
  if (byHour.size < 2 || hours.length === 0) return null;
  const weekdays = [1, 2, 3, 4, 5];
  return {
    times: hours.map(({ time }) => ({ weekdays, time })).sort((a, b) => a.time.localeCompare(b.time)),
    basis: `In these hours, your latest ${count(results.length, 'post')} on this channel got the most reactions, comments and reposts on average. That is a small sample, so treat it as a hint.`,
  };
}

/** Why there is no suggestion from statistics. */
export const commonSuggestion = (reason: string): Suggestion => ({
  times: commonTimes,
  basis: `Common times on working days, not from your statistics. ${reason}`,
});
