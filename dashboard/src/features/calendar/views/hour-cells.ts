import { addDays, type DateKey, hoursOf, resolveTime, startOfDay, wallTime } from '../../../lib/time/time.ts';

/** An hour of a day in the grid. */
export interface HourCell {
  key: string;
  date: DateKey;
  /** Null if the clocks skip this hour. */
  start: Date | null;
  end: Date;
}

/** The hours of one day as they pass: 23 or 25 when the clocks change. */
export const passingHours = (date: DateKey, zone: string): HourCell[] =>
  hoursOf(date, zone).map((start) => ({
    key: start.toISOString(),
    date,
    start,
    end: new Date(start.getTime() + 3_600_000),
  }));

/** The hours of the clock, so that days beside each other have the same rows. An hour that the clocks show twice is one row. */
export function clockHours(date: DateKey, zone: string): HourCell[] {
  const dayEnd = startOfDay(addDays(date, 1), zone);
  return Array.from({ length: 24 }, (_, hour) => {
    const { at, kind } = resolveTime(date, `${String(hour).padStart(2, '0')}:00`, zone);
    const next = hour === 23 ? dayEnd : resolveTime(date, `${String(hour + 1).padStart(2, '0')}:00`, zone).at;
    const isSkipped = kind === 'skipped' && wallTime(at, zone).hour !== hour;
    return { key: `${date} ${hour}`, date, start: isSkipped ? null : at, end: next };
  });
}

/** The time in this hour with the minutes that it had before. */
export function timeInCell(before: string | null, { start }: HourCell): Date | null {
  if (!start) return null;
  const minutes = before ? new Date(before).getTime() % 3_600_000 : 0;
  // Some zones are half an hour off, so the start of an hour is not that of UTC.
  const offset = (minutes - (start.getTime() % 3_600_000) + 3_600_000) % 3_600_000;
  return new Date(start.getTime() + offset);
}
