import type { casual } from 'chrono-node/en';
import { type ClockTime, readTime } from './read-time.ts';
import type { DateKey, WallTime } from './time.ts';

/** Reads dates as people write them: in figures (2026-12-24, 24.12., 12/24/2026) or, once the parsers are loaded, in words. */

/** How a language writes dates in figures. `yearFirst` without a year is month first. */
export type DateOrder = 'dayFirst' | 'monthFirst' | 'yearFirst';

/** Parses dates in words of one language. Large, so it is loaded on demand. */
export type Phrases = Pick<typeof casual, 'parse'>;

export interface DateReading {
  readonly today: WallTime;
  readonly order: DateOrder;
  /** Null: not loaded yet, so only figures are supported. */
  readonly phrases: readonly Phrases[] | null;
}

export type WrittenDate = Day & { readonly clock: ClockTime | null };
type Day = Pick<WallTime, 'year' | 'month' | 'day'>;

export function readDate(written: string, { today, order, phrases }: DateReading): WrittenDate | null {
  const text = withPlainDigits(written).trim();
  const figures = yearFirst(text) ?? dayOrMonthFirst(text, today, order);
  if (figures) {
    const { rest, ...day } = figures;
    const clock = rest === undefined ? null : readTime(rest);
    return isDay(day) && (rest === undefined || clock) ? { ...day, clock } : null;
  }
  const found = (phrases ?? []).flatMap((language) => inWords(text, today, language) ?? []);
  // To the British parser, "dec 24" is a month of 2024.
  return found.find(({ isCertain }) => isCertain) ?? found[0] ?? null;
}

export const dateKeyOf = ({ year, month, day }: Day): DateKey =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

const two = (number: number) => String(number).padStart(2, '0');

export function orderIn(locale: string): DateOrder {
  const types = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type);
  const [first] = types.filter((type) => type === 'day' || type === 'month' || type === 'year');
  return first === 'year' ? 'yearFirst' : first === 'month' ? 'monthFirst' : 'dayFirst';
}

/** The order that all these dates have, if only one is possible, otherwise that of the locale. */
export function orderOf(dates: readonly string[], locale: string): DateOrder {
  const numbers = dates.flatMap((date) => /^\s*(\d{1,2})[/-](\d{1,2})\b/.exec(withPlainDigits(date)) ?? []);
  const exceeds = (place: 1 | 2) => numbers.some((number, index) => index % 3 === place && Number(number) > 12);
  if (exceeds(1) === exceeds(2)) return orderIn(locale);
  return exceeds(1) ? 'dayFirst' : 'monthFirst';
}

type Figures = Day & {
  /** The text after the date. */
  readonly rest: string | undefined;
};

const after = '(?:[T\\s,]+(?:(?:at|um)\\s+)?(.+))?$';
const yearPattern = new RegExp(`^(\\d{4})\\s?([./-])\\s?(\\d{1,2})\\s?\\2\\s?(\\d{1,2})\\.?${after}`, 'i');

/** `2026-12-24`, `2026/12/24`, `2026. 12. 24.` */
function yearFirst(text: string): Figures | null {
  const found = yearPattern.exec(text);
  return found && { year: Number(found[1]), month: Number(found[3]), day: Number(found[4]), rest: found[5] };
}

const dayPattern = new RegExp(
  `^(\\d{1,2})([./-])\\s?(\\d{1,2})(?:\\2\\s?(\\d{4})|\\2(\\d{2})(?=[\\s,]|$))?\\.?${after}`,
  'i',
);

/** `17.11.`, `17.11.2026`, `11/17/26`, `17-11-2026`, `17.11. 9 Uhr`. Without a year, the next occurrence. */
function dayOrMonthFirst(text: string, today: WallTime, order: DateOrder): Figures | null {
  const found = dayPattern.exec(text);
  if (!found) return null;
  const [, first, separator, second, year, shortYear, rest] = found;
  // "9-30" may be anything.
  if (separator === '-' && !year && !shortYear) return null;
  const [a, b] = [Number(first), Number(second)];
  // Points always separate day and month. Figures that only one order allows have that one.
  const isDayFirst = separator === '.' || (b > 12 ? false : a > 12 || order === 'dayFirst');
  const [day, month] = isDayFirst ? [a, b] : [b, a];
  const isOver = month < today.month || (month === today.month && day < today.day);
  const next = today.year + (isOver ? 1 : 0);
  return { year: year ? Number(year) : shortYear ? 2000 + Number(shortYear) : next, month, day, rest };
}

function inWords(text: string, today: WallTime, phrases: Phrases): (WrittenDate & { isCertain: boolean }) | null {
  // The library ignores a bare hour at the end, as in "tomorrow 9".
  const ending = /^(.*[^\d\s,:./-])[\s,]+(?:(?:at|um)\s+)?(\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|uhr|h)?)$/i.exec(text);
  const endsWithDay =
    ending &&
    /(?:^|\s)(?:in|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)$/i.test(ending[1]!);
  const clock = ending && !endsWithDay ? readTime(ending[2]!) : null;
  const words = (clock ? ending![1]! : text).replace(/\b(the )?day after tomorrow\b/i, 'in 2 days');
  // The library works in the browser's time zone, so give it the wall time of the user's zone.
  const reference = new Date(today.year, today.month - 1, today.day, today.hour, today.minute);
  const [found, another] = phrases.parse(words, reference, { forwardDate: true });
  // To the library, "19day" means in 19 days, and what it does not understand has no meaning.
  if (!found || another || joined.test(words) || !fillers.test(words.replace(found.text, ' '))) return null;
  const [year, month, day] = [found.start.get('year'), found.start.get('month'), found.start.get('day')];
  if (year === null || month === null || day === null) return null;
  const ownTime = found.start.isCertain('hour')
    ? { hour: found.start.get('hour') ?? 0, minute: found.start.get('minute') ?? 0 }
    : timeOfDay(words);
  const isCertain = found.start.isCertain('day') || found.start.isCertain('weekday');
  return { year, month, day, clock: clock ?? ownTime, isCertain };
}

/** A number and a word without a space, apart from ordinals and times. */
const joined = /\d(?!(?:st|nd|rd|th|er|h|am|pm|uhr)(?![a-z]))(?!h\d)[a-z]/i;

/** Words around a date that do not change it: "on the 24th of December". */
const fillers = /^(?:\s|[.,]|\b(?:on|the|at|this|am|um|kommende[nr]?|le|el)\b)*$/i;

/** The usual time for a part of the day: "tomorrow morning". */
function timeOfDay(words: string): ClockTime | null {
  const [, hour] = partsOfDay.find(([word]) => word.test(words)) ?? [];
  return hour === undefined ? null : { hour, minute: 0 };
}

const partsOfDay: readonly (readonly [RegExp, number])[] = [
  [/\bmorning\b/i, 9],
  [/\b(noon|midday)\b/i, 12],
  [/\bafternoon\b/i, 15],
  [/\bevening\b/i, 18],
  [/\b(tonight|night)\b/i, 20],
];

function isDay({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The zeros of Arabic, Persian, Devanagari, Bengali and full-width digits. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10];

/** With ASCII digits, and without the marks that some languages put between the figures of a date. */
const withPlainDigits = (text: string) =>
  text.replace(/[\u061c\u200e\u200f]/g, '').replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0)!;
    const zero = zeros.find((first) => point >= first && point < first + 10);
    return zero === undefined ? digit : String(point - zero);
  });
