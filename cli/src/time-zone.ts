export interface Day {
  year: number;
  month: number;
  /** May lie outside the month: day 32 rolls over to the next month. */
  day: number;
}
export interface ClockTime {
  hour: number;
  minute: number;
  second: number;
}

const dayMs = 86_400_000;

/** The given zone, or this machine's zone. Null if the given zone does not exist. */
export function timeZoneOf(asked: string | undefined): string | null {
  try {
    return new Intl.DateTimeFormat('en', asked ? { timeZone: asked } : {}).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * The instant when clocks in the zone show this time. If they show it twice, the first one. If they skip it, the time
 * shifts by the change: 2:30 becomes 3:30.
 */
export function timeIn(timeZone: string, { year, month, day }: Day, { hour, minute, second }: ClockTime): Date {
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  const candidates = [shown - dayMs, shown + dayMs].map((near) => shown - offsetMs(timeZone, near));
  return new Date(candidates.find((ms) => ms + offsetMs(timeZone, ms) === shown) ?? candidates[0]!);
}

/** The calendar day in the zone. */
export function dayIn(timeZone: string, time: Date): Day {
  const shown = new Date(time.getTime() + offsetMs(timeZone, time.getTime()));
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() };
}

/** The same wall-clock time, this many days later. */
export function later(timeZone: string, time: Date, days: number): Date {
  const shown = new Date(time.getTime() + offsetMs(timeZone, time.getTime()));
  const day = { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() + days };
  const clock = { hour: shown.getUTCHours(), minute: shown.getUTCMinutes(), second: shown.getUTCSeconds() };
  return timeIn(timeZone, day, clock);
}

/** For people: `Fri 20 Nov 2026, 09:00`. */
export function showTime(timeZone: string, time: string | null): string {
  if (!time) return '–';
  const parts = partsOf(
    timeZone,
    { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    new Date(time),
  );
  return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}`;
}

function offsetMs(timeZone: string, ms: number): number {
  const { year, month, day, hour, minute, second } = partsOf(
    timeZone,
    { year: 'numeric', month: 'numeric', day: 'numeric' },
    new Date(ms),
  );
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return shown - Math.floor(ms / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(timeZone: string, date: Intl.DateTimeFormatOptions, time: Date): Record<string, string> {
  const key = `${timeZone} ${date.weekday}`;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...date, ...clock });
  formats.set(key, format);
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
}
