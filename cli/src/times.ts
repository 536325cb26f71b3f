import { type Day, dayIn, later, timeIn } from './time-zone.ts';

export interface Moment {
  now: Date;
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: string;
}

/** A time that cannot be parsed. Its message explains the accepted formats. */
export class TimeError extends Error {
  override name = 'TimeError';
}

/** Parses `tomorrow 9:00`, `in 2 hours`, `+30m`, `friday 14:00`, `2027-03-04 09:00` or a time with an offset. */
export function parseTime(text: string, moment: Moment): Date {
  const wanted = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const found = absoluteTime(text.trim(), moment) ?? elapsedTime(wanted, moment) ?? dayAndTime(wanted, moment);
  if (found) return found;
  throw new TimeError(
    `"${text}" is not a time that Crier understands. Write for example "tomorrow 9:00", "in 2 hours", "+30m", "friday 14:00" or "2027-03-04T09:00:00Z".`,
  );
}

/** Parses an absolute time, which does not depend on when it is read. Returns null for any other. */
export function absoluteTime(text: string, { timeZone }: Pick<Moment, 'timeZone'>): Date | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(z|[+-]\d\d:?\d\d)?$/i.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const [date, clock] = [
    { year: year!, month: month!, day: day! },
    { hour: hour!, minute: minute!, second: second! },
  ];
  if (!isDay(date) || clock.hour > 23 || clock.minute > 59 || clock.second > 59) return null;
  const zone = match[7];
  if (!zone) return timeIn(timeZone, date, clock);
  const offset = zone.toLowerCase() === 'z' ? 0 : offsetMinutes(zone);
  return new Date(Date.UTC(date.year, date.month - 1, date.day, clock.hour, clock.minute - offset, clock.second));
}

function offsetMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function isDay({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const units: [pattern: RegExp, ms: number][] = [
  [/^(s|secs?|seconds?)$/, 1_000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hrs?|hours?)$/, 3_600_000],
];
/** A day may have 23 or 25 hours, so adding days keeps the wall-clock time. */
const dayUnits: [pattern: RegExp, days: number][] = [
  [/^(d|days?)$/, 1],
  [/^(w|weeks?)$/, 7],
];

/** `in 2 hours`, `in an hour`, `in 1 day 2 hours`, `+1h30m` */
function elapsedTime(text: string, { now, timeZone }: Moment): Date | null {
  const match = /^(?:in |\+ ?)(.+)$/.exec(text);
  if (!match) return null;
  const steps = match[1]!
    .replace(/\ban?\b/g, '1')
    .replace(/,|\band\b/g, ' ')
    .trim();
  if (!/^(\d{1,6}\s*[a-z]+\s*)+$/.test(steps)) return null;
  let [days, ms] = [0, 0];
  for (const [, count, unit] of steps.matchAll(/(\d+)\s*([a-z]+)/g)) {
    const inDays = dayUnits.find(([pattern]) => pattern.test(unit!))?.[1];
    const inMs = units.find(([pattern]) => pattern.test(unit!))?.[1];
    if (inDays === undefined && inMs === undefined) return null;
    days += Number(count) * (inDays ?? 0);
    ms += Number(count) * (inMs ?? 0);
  }
  const day = days === 0 ? now : later(timeZone, now, days);
  const time = new Date(day.getTime() + ms);
  return Number.isNaN(time.getTime()) ? null : time;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `today 18:00`, `tomorrow at 9am`, `friday 14:00`, `18:00` */
function dayAndTime(text: string, { now, timeZone }: Moment): Date | null {
  const match = /^(?:(?:on |next )?([a-z]+) )?(?:at )?(\S+(?: [ap]m)?)$/.exec(text);
  const clock = match && clockTime(match[2]!);
  if (!clock) return null;
  const today = dayIn(timeZone, now);
  const at = (days: number) => timeIn(timeZone, { ...today, day: today.day + days }, clock);
  const word = match[1];
  if (word === 'today') return at(0);
  if (word === 'tomorrow') return at(1);
  if (word === undefined) return at(0) > now ? at(0) : at(1);
  const weekday = weekdays.findIndex((name) => word.length >= 3 && name.startsWith(word));
  if (weekday < 0) return null;
  const todayIs = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
  const days = (weekday - todayIs + 7) % 7;
  return at(days) > now ? at(days) : at(days + 7);
}

function clockTime(text: string): { hour: number; minute: number; second: number } | null {
  if (text === 'noon') return { hour: 12, minute: 0, second: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0, second: 0 };
  const match = /^(\d{1,2})(?::(\d\d))? ?([ap]m)?$/.exec(text);
  if (!match || (match[2] === undefined && !match[3])) return null;
  const [hour, minute, half] = [Number(match[1]), Number(match[2] ?? 0), match[3]];
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return null;
  return { hour: half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour, minute, second: 0 };
}
