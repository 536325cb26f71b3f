import { type output, z } from 'zod';

/** A day in UTC, in LinkedIn's format. */
export const DayShape = z.object({ year: z.int(), month: z.int(), day: z.int() });
export type Day = output<typeof DayShape>;
/** `end` is the first day after the range. */
export type DateRange = { start: Day; end: Day };

const dayMs = 86_400_000;

const midnight = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);

export function dayAt(time: number): Day {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** For member resources. */
export const dateRangeParameter = ({ start, end }: DateRange) => `(start:${written(start)},end:${written(end)})`;
const written = ({ year, month, day }: Day) => `(day:${day},month:${month},year:${year})`;

/** For page resources. Both ends must be midnight UTC. */
export const intervalsParameter = ({ start, end }: DateRange) =>
  `(timeRange:(start:${midnight(start)},end:${midnight(end)}),timeGranularityType:DAY)`;

/** The last seven days, including today. */
export function lastWeek(now: Date): DateRange {
  const tomorrow = (Math.floor(now.getTime() / dayMs) + 1) * dayMs;
  return { start: dayAt(tomorrow - 7 * dayMs), end: dayAt(tomorrow) };
}
