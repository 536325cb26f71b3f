/** Date arithmetic in time zones with `Intl` alone. */

/** What clocks on the wall show, without a zone. */
export interface WallTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

export type Resolved =
  | { kind: 'time'; at: Date }
  /** The clocks skip this time: `at` is the same time after they were put forward. */
  | { kind: 'gap'; at: Date }
  /** The clocks show this time twice: `at` is the first. */
  | { kind: 'twice'; at: Date; later: Date };

/** The instant at which clocks in the zone show this time. */
export function resolve(wall: WallTime, timeZone: string): Resolved {
  const asUtc = utcOf(wall);
  // No zone is further than a day from UTC, and none changes twice in two days.
  const offsets = [-1, 1].map((days) => offsetMs(new Date(asUtc + days * dayMs), timeZone));
  const candidates = [...new Set(offsets.map((offset) => asUtc - offset))].sort((a, b) => a - b);
  const matching = candidates.filter((at) => utcOf(wallTime(new Date(at), timeZone)) === asUtc);
  if (matching.length === 2) return { kind: 'twice', at: new Date(matching[0]!), later: new Date(matching[1]!) };
  if (matching.length === 1) return { kind: 'time', at: new Date(matching[0]!) };
  return { kind: 'gap', at: new Date(asUtc - Math.min(...offsets)) };
}

export function wallTime(at: Date, timeZone: string): WallTime {
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

const dayMs = 86_400_000;

const utcOf = ({ year, month, day, hour, minute }: WallTime) => Date.UTC(year, month - 1, day, hour, minute);

const offsetMs = (at: Date, timeZone: string) =>
  utcOf(wallTime(at, timeZone)) - Math.floor(at.getTime() / 60_000) * 60_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}
