import { clockOf, type DateKey, dateKeyOf, instantOf } from './time.ts';

/** The default time of a new post on this day: nine, or the next full hour if that has passed. Null for past days. */
export function timeOnDay(day: DateKey, zone: string, now: Date): Date | null {
  const nine = instantOf(day, '09:00', zone);
  if (nine > now) return nine;
  const nextHour = new Date(Math.ceil((now.getTime() + 60_000) / 3_600_000) * 3_600_000);
  return dateKeyOf(nextHour, zone) === day ? nextHour : null;
}

/** The composer's "Date" and "Time", also used in its address. */
export const dateAndTimeOf = (at: Date, zone: string) => ({ date: dateKeyOf(at, zone), time: clockOf(at, zone) });
