import { addDays, type DateKey, hoursOf, resolveTime, startOfDay, wallTime } from '../../../lib/time/time.ts';

/** An hour in the grid. */
export interface HourCell {
  key: string;
  date: DateKey;
  /** Null if the clocks skip this hour. */
  start: Date | null;
  end: Date;
}

/** The elapsed hours of a day: 23 or 25 when the clocks change. */
export const passingHours = (date: DateKey, zone: string): HourCell[] =>
  hoursOf(date, zone).map((start) => ({
    key: start.toISOString(),
    date,
    start,
    end: new Date(start.getTime() + 3_600_000),
  }));

/** The 24 hours of the clock, so that adjacent days have the same rows. A repeated hour is one row. */
export function clockHours(date: DateKey, zone: string): HourCell[] {
  const dayEnd = startOfDay(addDays(date, 1), zone);
  return Array.from({ length: 24 }, (_, hour) => {
    const { at, kind } = resolveTime(date, `${String(hour).padStart(2, '0')}:00`, zone);
    const next = hour === 23 ? dayEnd : resolveTime(date, `${String(hour + 1).padStart(2, '0')}:00`, zone).at;
    const isSkipped = kind === 'skipped' && wallTime(at, zone).hour !== hour;
    return { key: `${date} ${hour}`, date, start: isSkipped ? null : at, end: next };
  });
}

/** A time in this hour that keeps the previous minutes. */
export function timeInCell(before: string | null, { start }: HourCell): Date | null {
  if (!start) return null;
  const minutes = before ? new Date(before).getTime() % 3_600_000 : 0;
  // Some zones have half-hour offsets, so their hours don't start with those of UTC.
  const offset = (minutes - (start.getTime() % 3_600_000) + 3_600_000) % 3_600_000;
  return new Date(start.getTime() + offset);
}
