import { type DateReading, dateKeyOf, readDate } from '../../../lib/time/read-date.ts';
import { readTime, timeText } from '../../../lib/time/read-time.ts';
import { clockOf, type Resolved, resolveTime, wallTime } from '../../../lib/time/time.ts';

/** Reads "Date" and "Time": dates in figures or words, times with 24 or 12 hours. */

export type When =
  | { kind: 'none' }
  | { kind: 'unclear'; message: string }
  | { kind: 'past'; message: string }
  /** `date` and `time` as entered. `note` explains a skipped or repeated time. */
  | { kind: 'at'; at: Date; date: string; time: string; note: string | null };

interface Clock extends Pick<DateReading, 'order' | 'phrases'> {
  readonly now: Date;
  readonly timeZone: string;
}

/** The meaning of the two fields. */
export function readWhen(date: string, time: string, { now, timeZone, order, phrases }: Clock): When {
  if (date.trim() === '' && time.trim() === '') return { kind: 'none' };
  const today = wallTime(now, timeZone);
  const phrase = date.trim() === '' ? { ...today, clock: null } : readDate(date, { today, order, phrases });
  if (!phrase)
    return {
      kind: 'unclear',
      message: `“${date.trim()}” isn’t a date. Try 2026-12-24, 24.12. 9:00, tomorrow or fri 14:30.`,
    };
  const own = time.trim() === '' ? phrase.clock : readTime(time);
  if (!own && time.trim() !== '') {
    return { kind: 'unclear', message: `“${time.trim()}” isn’t a time. Try 14:30 or 2:30 pm.` };
  }
  if (!own && dateKeyOf(phrase) < dateKeyOf(today))
    return { kind: 'past', message: 'This date is in the past. Choose a later one.' };
  if (!own) return { kind: 'unclear', message: 'Add a time, such as 9:00.' };
  const [wantedDate, wantedTime] = [dateKeyOf(phrase), timeText(own)];
  const resolved = resolveTime(wantedDate, wantedTime, timeZone);
  if (resolved.at.getTime() <= now.getTime()) {
    return { kind: 'past', message: 'This time is in the past. Choose a later one.' };
  }
  const note = noteOn(resolved, wantedTime, clockOf(resolved.at, timeZone));
  return { kind: 'at', at: resolved.at, date: wantedDate, time: wantedTime, note };
}

function noteOn({ kind }: Resolved, wanted: string, shown: string): string | null {
  if (kind === 'skipped') return `Clocks go forward on this day and skip ${wanted}. The post goes out at ${shown}.`;
  if (kind === 'repeated')
    return `Clocks go back on this day and show ${wanted} twice. The post goes out the first time.`;
  return null;
}
