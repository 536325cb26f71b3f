import type { casual } from 'chrono-node/en';
import { type ClockTime, readTime, timeText } from '../../../lib/time/read-time.ts';
import { clockOf, type Resolved, resolveTime, type WallTime, wallTime } from '../../../lib/time/time.ts';

/** Reads "Date" and "Time": numeric dates (2026-12-24, 24.12.) or phrases, times with 24 or 12 hours. */

export type When =
  | { kind: 'none' }
  | { kind: 'unclear'; message: string }
  | { kind: 'past'; message: string }
  /** `date` and `time` as entered. `note` explains a skipped or repeated time. */
  | { kind: 'at'; at: Date; date: string; time: string; note: string | null };

/** Parses dates in words. It is large, so it is loaded on demand. */
export type Phrases = Pick<typeof casual, 'parse'>;

interface Clock {
  /** Null: not loaded yet, so only numeric dates are supported. */
  readonly phrases: Phrases | null;
  readonly now: Date;
  readonly timeZone: string;
}

/** The meaning of the two fields. */
export function readWhen(date: string, time: string, { now, timeZone, phrases }: Clock): When {
  if (date.trim() === '' && time.trim() === '') return { kind: 'none' };
  const today = wallTime(now, timeZone);
  const phrase = date.trim() === '' ? { ...today, clock: null } : readDate(date, today, phrases);
  if (!phrase)
    return {
      kind: 'unclear',
      message: `“${date.trim()}” isn’t a date. Try 2026-12-24, 24.12. 9:00, tomorrow or fri 14:30.`,
    };
  const own = time.trim() === '' ? phrase.clock : readTime(time);
  if (!own && time.trim() !== '') {
    return { kind: 'unclear', message: `“${time.trim()}” isn’t a time. Try 14:30 or 2:30 pm.` };
  }
  if (!own && isoDate(phrase) < isoDate(today))
    return { kind: 'past', message: 'This date is in the past. Choose a later one.' };
  if (!own) return { kind: 'unclear', message: 'Add a time, such as 9:00.' };
  const [wantedDate, wantedTime] = [isoDate(phrase), timeText(own)];
  const resolved = resolveTime(wantedDate, wantedTime, timeZone);
  if (resolved.at.getTime() <= now.getTime()) {
    return { kind: 'past', message: 'This time is in the past. Choose a later one.' };
  }
  const note = noteOn(resolved, wantedTime, clockOf(resolved.at, timeZone));
  return { kind: 'at', at: resolved.at, date: wantedDate, time: wantedTime, note };
}

type ReadDate = Pick<WallTime, 'year' | 'month' | 'day'> & { clock: ClockTime | null };

function readDate(text: string, today: WallTime, phrases: Phrases | null): ReadDate | null {
  const figures = isoFigures(text) ?? dottedFigures(text, today);
  if (figures) {
    const { year, month, day, rest } = figures;
    const clock = rest === undefined ? null : readTime(rest);
    return isDay(year, month, day) && (rest === undefined || clock) ? { year, month, day, clock } : null;
  }
  if (!phrases) return null;
  // The library ignores a bare hour at the end, as in "tomorrow 9".
  const ending = /^(.*[^\d\s,:./-])[\s,]+(?:(?:at|um)\s+)?(\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|uhr|h)?)$/i.exec(
    text.trim(),
  );
  const endsWithDay =
    ending &&
    /(?:^|\s)(?:in|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)$/i.test(ending[1]!);
  const clock = ending && !endsWithDay ? readTime(ending[2]!) : null;
  const words = (clock ? ending![1]! : text).replace(/\b(the )?day after tomorrow\b/i, 'in 2 days');
  // The library works in the browser's time zone, so give it the wall time of the user's zone.
  const reference = new Date(today.year, today.month - 1, today.day, today.hour, today.minute);
  const [found] = phrases.parse(words, reference, { forwardDate: true });
  if (!found || found.text.length < words.trim().length * 0.6) return null;
  const [year, month, day] = [found.start.get('year'), found.start.get('month'), found.start.get('day')];
  if (year === null || month === null || day === null) return null;
  const ownTime = found.start.isCertain('hour')
    ? { hour: found.start.get('hour') ?? 0, minute: found.start.get('minute') ?? 0 }
    : timeOfDay(words);
  return { year, month, day, clock: clock ?? ownTime };
}

interface Figures extends Pick<WallTime, 'year' | 'month' | 'day'> {
  /** The text after the date. */
  readonly rest: string | undefined;
}

function isoFigures(text: string): Figures | null {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(.+))?$/.exec(text.trim());
  return found && { year: Number(found[1]), month: Number(found[2]), day: Number(found[3]), rest: found[4] };
}

/** `17.11.`, `17.11.2026`, `17.11. 9 Uhr`. Without a year, the next occurrence. */
function dottedFigures(text: string, today: WallTime): Figures | null {
  const found =
    /^(\d{1,2})\.\s?(\d{1,2})(?:\.\s?(\d{4})|\.(\d{2})(?=[\s,]|$))?\.?(?:[\s,]+(?:(?:at|um)\s+)?(.+))?$/i.exec(
      text.trim(),
    );
  if (!found) return null;
  const [day, month] = [Number(found[1]), Number(found[2])];
  const isOver = month < today.month || (month === today.month && day < today.day);
  const next = today.year + (isOver ? 1 : 0);
  const year = found[3] ? Number(found[3]) : found[4] ? 2000 + Number(found[4]) : next;
  return { year, month, day, rest: found[5] };
}

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

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function noteOn({ kind }: Resolved, wanted: string, shown: string): string | null {
  if (kind === 'skipped') return `Clocks go forward on this day and skip ${wanted}. The post goes out at ${shown}.`;
  if (kind === 'repeated')
    return `Clocks go back on this day and show ${wanted} twice. The post goes out the first time.`;
  return null;
}

const isoDate = ({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>) =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

const two = (number: number) => String(number).padStart(2, '0');
