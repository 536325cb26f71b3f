import { clockOf, type DateKey, dateKeyOf, instantOf } from './time.ts';

/** When a post that is begun on this day would go out: at nine, or at the next full hour if that is over. Null in the past. */
export function timeOnDay(day: DateKey, zone: string, now: Date): Date | null {
  const nine = instantOf(day, '09:00', zone);
  if (nine > now) return nine;
  const nextHour = new Date(Math.ceil((now.getTime() + 60_000) / 3_600_000) * 3_600_000);
  return dateKeyOf(nextHour, zone) === day ? nextHour : null;
}

/** The fields "Date" and "Time" of the composer for an instant, which its address may have too. */
export const dateAndTimeOf = (at: Date, zone: string) => ({ date: dateKeyOf(at, zone), time: clockOf(at, zone) });
