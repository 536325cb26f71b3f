import { addDays, type Clock, clockOf, type DateKey, dateKeyOf, instantOf } from '../../../lib/time/time.ts';

export interface SuggestedTime {
  readonly date: DateKey;
  readonly time: Clock;
  /** Posts usually go out then. */
  readonly isUsual: boolean;
}

/** At least this often, and at most this many times of the day. */
const [often, most] = [3, 2];

/** Tomorrow at nine, and the next times of the day at which most of these posts went out, to the half hour. */
export function suggestTimes(postedAt: readonly string[], now: Date, timeZone: string): readonly SuggestedTime[] {
  const today = dateKeyOf(now, timeZone);
  const next = (time: Clock) => (instantOf(today, time, timeZone) > now ? today : addDays(today, 1));
  const usual = usualClocks(postedAt, timeZone).map((time) => ({ date: next(time), time, isUsual: true }));
  const tomorrow = { date: addDays(today, 1), time: '09:00', isUsual: false };
  return [tomorrow, ...usual.filter(({ date, time }) => date !== tomorrow.date || time !== tomorrow.time)];
}

function usualClocks(postedAt: readonly string[], timeZone: string): readonly Clock[] {
  const counts = new Map<Clock, number>();
  for (const at of postedAt) {
    const [hour, minute] = clockOf(at, timeZone).split(':').map(Number) as [number, number];
    const clock = `${String(hour).padStart(2, '0')}:${minute < 30 ? '00' : '30'}`;
    counts.set(clock, (counts.get(clock) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= often)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([clock]) => clock);
}
