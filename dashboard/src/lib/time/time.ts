/**
 * Dates and times in the user's time zone. A `DateKey` is a calendar day without a zone, `2027-03-28`; a `Clock` is a time of day,
 * `09:30`; an instant is a `Date`. Nothing here reads the browser's time zone.
 */
export type DateKey = string;
export type Clock = string;

export interface TimePreferences {
  /** An IANA time zone name. */
  zone: string;
  locale: string;
  /** Undefined: the locale's default. */
  hour12?: boolean | undefined;
  /** The first day of a week: 0 is Sunday. */
  weekStart: 0 | 1 | 6;
}

export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** What a wall clock shows at this instant. */
export function wallTime(instant: Date | number | string, zone: string): WallTime {
  const found: Record<string, number> = {};
  for (const { type, value } of wallFormat(zone).formatToParts(toDate(instant))) found[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = found;
  return { year, month, day, hour, minute, second };
}

export const dateKeyOf = (instant: Date | number | string, zone: string): DateKey => {
  const { year, month, day } = wallTime(instant, zone);
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
};

export const clockOf = (instant: Date | number | string, zone: string): Clock => {
  const { hour, minute } = wallTime(instant, zone);
  return `${pad(hour)}:${pad(minute)}`;
};

export interface Resolved {
  at: Date;
  /**
   * `skipped`: clocks move forward past this time, so `at` is later by the skipped amount. `repeated`: clocks move back and show
   * this time twice; `at` is the first of the two.
   */
  kind: 'exact' | 'skipped' | 'repeated';
}

/** The instant at which a clock in this zone shows this time on this day. */
export function resolveTime(date: DateKey, clock: Clock, zone: string): Resolved {
  const shown = Date.parse(`${date}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
  const before = offsetAt(shown - dayMs, zone);
  const after = offsetAt(shown + dayMs, zone);
  const early = shown - Math.max(before, after);
  const late = shown - Math.min(before, after);
  const showsEarly = early + offsetAt(early, zone) === shown;
  const showsLate = late + offsetAt(late, zone) === shown;
  if (showsEarly) return { at: new Date(early), kind: showsLate && early !== late ? 'repeated' : 'exact' };
  if (showsLate) return { at: new Date(late), kind: 'exact' };
  return { at: new Date(shown - before), kind: 'skipped' };
}

export const instantOf = (date: DateKey, clock: Clock, zone: string): Date => resolveTime(date, clock, zone).at;

/** When a posting slot is. As in the service, a time that clocks skip becomes the first moment after the gap. */
export function resolveSlot(date: DateKey, clock: Clock, zone: string): Date {
  const { at, kind } = resolveTime(date, clock, zone);
  if (kind !== 'skipped') return at;
  const offset = offsetAt(at.getTime(), zone);
  let [before, after] = [at.getTime() - dayMs, at.getTime()];
  while (after - before > minuteMs) {
    const middle = Math.floor((before + after) / 2 / minuteMs) * minuteMs;
    if (offsetAt(middle, zone) === offset) after = middle;
    else before = middle;
  }
  return new Date(after);
}

/** The same time of day this many days later. A day isn't always 24 hours. */
export function moveDays(instant: Date | string, days: number, zone: string): Date {
  if (days === 0) return toDate(instant);
  return moveToDate(instant, addDays(dateKeyOf(instant, zone), days), zone);
}

/** The same time of day on another day. */
export function moveToDate(instant: Date | string, date: DateKey, zone: string): Date {
  const { hour, minute, second } = wallTime(instant, zone);
  const at = instantOf(date, `${pad(hour)}:${pad(minute)}:${pad(second)}`, zone);
  return new Date(at.getTime() + toDate(instant).getMilliseconds());
}

/** This many elapsed hours later, regardless of clock changes. */
export const moveHours = (instant: Date | string, hours: number): Date =>
  new Date(toDate(instant).getTime() + hours * hourMs);

export const addDays = (date: DateKey, days: number): DateKey =>
  keyOfUtc(new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs));

/** The same day of another month, or the last one if that month is shorter. */
export function addMonths(date: DateKey, months: number): DateKey {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return keyOfUtc(new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))));
}

/** 0 is Sunday. */
export const weekdayOf = (date: DateKey): number => new Date(`${date}T00:00:00Z`).getUTCDay();

export const startOfWeek = (date: DateKey, weekStart: number): DateKey =>
  addDays(date, -((weekdayOf(date) - weekStart + 7) % 7));

export const startOfMonth = (date: DateKey): DateKey => `${date.slice(0, 7)}-01`;

/** The first instant of the day. In some zones clocks skip midnight. */
export const startOfDay = (date: DateKey, zone: string): Date => instantOf(date, '00:00', zone);

/** The start of each hour of the day: 24, or 23 or 25 when clocks change. */
export function hoursOf(date: DateKey, zone: string): Date[] {
  const end = startOfDay(addDays(date, 1), zone).getTime();
  const hours: Date[] = [];
  for (let at = startOfDay(date, zone).getTime(); at < end; at += hourMs) hours.push(new Date(at));
  return hours;
}

export const isDateKey = (text: unknown): text is DateKey =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** `09:30` or `9:30 am`. */
export function formatTime(
  instant: Date | number | string,
  { zone, locale, hour12 }: TimePreferences,
  second?: '2-digit',
): string {
  const isTwelve = hour12 ?? hasTwelveHours(locale);
  const shape = isTwelve
    ? ({ hour: 'numeric', hour12: true } as const)
    : ({ hour: '2-digit', hourCycle: 'h23' } as const);
  return format(locale, { ...shape, minute: '2-digit', second, timeZone: zone }, instant);
}

const twelveHours = new Map<string, boolean>();
function hasTwelveHours(locale: string): boolean {
  const known = twelveHours.get(locale) ?? formatterOf(locale, { hour: 'numeric' }).resolvedOptions().hour12 ?? false;
  twelveHours.set(locale, known);
  return known;
}

/** `Tue 4 Mar`, with the year if it is not that of `now`. */
export function formatDay(instant: Date | number | string, preferences: TimePreferences, now = new Date()): string {
  const { zone, locale } = preferences;
  const isThisYear = wallTime(instant, zone).year === wallTime(now, zone).year;
  const year = isThisYear ? undefined : ('numeric' as const);
  const words = format(locale, { weekday: 'short', day: 'numeric', month: 'short', year, timeZone: zone }, instant);
  // British English adds a comma only with a year. Drop it, so that dates in a list look alike.
  return isThisYear ? words : words.replace(/^(\p{L}+), (?=\d)/u, '$1 ');
}

/** `Tue 4 Mar, 09:30`. */
export const formatDateTime = (
  instant: Date | number | string,
  preferences: TimePreferences,
  now = new Date(),
): string => `${formatDay(instant, preferences, now)}, ${formatTime(instant, preferences)}`;

/** `Tuesday 4 March 2027`, for headings and screen readers. */
export const formatLongDate = (date: DateKey, { locale }: Pick<TimePreferences, 'locale'>): string =>
  format(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }, utcOf(date));

/** A calendar day in any `Intl` format. */
export const formatDateKey = (date: DateKey, locale: string, options: Intl.DateTimeFormatOptions): string =>
  format(locale, { ...options, timeZone: 'UTC' }, utcOf(date));

/** `in 2 hours`, `yesterday`, `1 week ago`, rounded. Counts calendar days: 35 hours from now may be the day after tomorrow. */
export function formatRelative(
  instant: Date | number | string,
  { locale, zone }: Pick<TimePreferences, 'locale' | 'zone'>,
  now = new Date(),
): string {
  const ms = toDate(instant).getTime() - now.getTime();
  if (Math.abs(ms) < minuteMs) return relativeFormat(locale, 'auto').format(0, 'second');
  const inUnits = (size: number) => Math.sign(ms) * Math.round(Math.abs(ms) / size);
  const [unit, size] = units.find(([, each, most]) => Math.abs(inUnits(each)) <= most)!;
  if (unit !== 'day') return relativeFormat(locale, 'always').format(inUnits(size), unit);
  const days = utcOf(dateKeyOf(toDate(instant), zone)).getTime() - utcOf(dateKeyOf(now, zone)).getTime();
  return relativeFormat(locale, 'auto').format(days / dayMs, 'day');
}

/** `CET` or `GMT+1`, as valid at this instant. */
export const zoneNameAt = (instant: Date | number | string, { zone, locale }: TimePreferences): string =>
  formatterOf(locale, { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(toDate(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/** The zone's offset from UTC in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(instant, zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return shown - Math.floor(instant / 1000) * 1000;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** From the smallest, each with the largest count before the next one takes over. */
const units = [
  ['minute', minuteMs, 59],
  ['hour', hourMs, 23],
  ['day', dayMs, 6],
  ['week', 7 * dayMs, 4],
  ['month', 30.4375 * dayMs, 11],
  ['year', 365.25 * dayMs, Number.POSITIVE_INFINITY],
] as const;
const pad = (number: number, length = 2) => String(number).padStart(length, '0');
const toDate = (instant: Date | number | string) => (instant instanceof Date ? instant : new Date(instant));
const utcOf = (date: DateKey) => new Date(`${date}T00:00:00Z`);
const keyOfUtc = (date: Date): DateKey => date.toISOString().slice(0, 10);

const wallFormats = new Map<string, Intl.DateTimeFormat>();
function wallFormat(zone: string): Intl.DateTimeFormat {
  const known = wallFormats.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...wallParts, timeZone: zone });
  wallFormats.set(zone, known);
  return known;
}

const wallParts = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

const format = (locale: string, options: Intl.DateTimeFormatOptions, instant: Date | number | string) =>
  formatterOf(locale, options).format(toDate(instant));

/** Creating a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** `auto` gives words such as "tomorrow". Not used for weeks: 13 days aren't "next week". */
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();
function relativeFormat(locale: string, numeric: 'auto' | 'always'): Intl.RelativeTimeFormat {
  const made = relativeFormats.get(`${locale} ${numeric}`) ?? new Intl.RelativeTimeFormat(locale, { numeric });
  relativeFormats.set(`${locale} ${numeric}`, made);
  return made;
}
