import type { Connection, ImportedPost } from '@crier/client';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { type DateReading, dateKeyOf, readDate } from '../../../lib/time/read-date.ts';
import { timeText } from '../../../lib/time/read-time.ts';
import { addDays, instantOf, isDateKey } from '../../../lib/time/time.ts';
import type { ImportRow, RowProblem } from './read-rows.ts';

/** A row that can be sent. */
export interface ReadyRow {
  line: number;
  post: ImportedPost;
}

export interface ImportChoices {
  channels: readonly Connection[];
  /** For times without an offset. */
  zone: string;
  /** How the file writes dates, other than ISO dates. */
  dates: DateReading;
  /** For rows without a channel. */
  to: readonly string[];
  /** What to do with rows without a time. */
  untimed: 'draft' | 'publish';
}

/** Resolves channels and times. The idempotency keys are stable, so sending the result twice creates each post once. */
export function prepareRows(rows: readonly ImportRow[], choices: ImportChoices) {
  const ready: ReadyRow[] = [];
  const problems: RowProblem[] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const post = postOf(row, choices);
    if (typeof post === 'string') problems.push({ line: row.line, message: post });
    else {
      // Identical rows are distinguished by their order.
      const said = JSON.stringify(post);
      const count = (seen.get(said) ?? 0) + 1;
      seen.set(said, count);
      ready.push({ line: row.line, post: { ...post, idempotencyKey: `import-${hashOf(said)}-${count}` } });
    }
  }
  return { ready, problems };
}

/** The post, or what is wrong with the row. */
function postOf(row: ImportRow, choices: ImportChoices): Omit<ImportedPost, 'idempotencyKey'> | string {
  const platforms: string[] = [];
  for (const name of row.to) {
    const fitting = channelsNamed(name, choices.channels);
    if (fitting.length === 0) return `No channel is named “${name}”.`;
    if (fitting.length > 1)
      return `“${name}” matches several channels. Use network and handle, such as ${example(fitting)}.`;
    platforms.push(fitting[0]!.platformId);
  }
  if (row.to.length === 0) platforms.push(...choices.to);
  if (platforms.length === 0) return 'No channel given. Choose one for these rows above.';
  const local = row.media.find((address) => !/^https?:\/\//i.test(address));
  if (local) return `“${local}” isn’t a URL. Media URLs must start with https://.`;
  if (row.alt.filter(Boolean).length > row.media.length) return 'More alt texts than files.';
  const when = whenOf(row.at, choices);
  if (!when) return `“${row.at}” isn’t a date and time. Use a format such as 2027-03-04 09:00, or next-slot.`;
  return {
    content: row.text,
    platforms: [...new Set(platforms)],
    ...when,
    ...(row.comments.length > 0 && { firstComments: row.comments.map((text) => ({ text })) }),
    ...(row.media.length > 0 && {
      mediaUrls: row.media.map((url, index) => (row.alt[index] ? { url, altText: row.alt[index] } : url)),
    }),
  };
}

const example = ([first]: readonly Connection[]) =>
  `${platformOf(first!.platformId)}:${(first!.username ?? '').replace(/^@/, '') || first!.platformId}`;

/** By id, network, handle, `network:handle`, or `all`. */
function channelsNamed(name: string, channels: readonly Connection[]): readonly Connection[] {
  const exact = channels.find(({ platformId }) => platformId === name);
  if (exact) return [exact];
  const wanted = name.toLowerCase();
  const [, network, handle = wanted] = /^(\w+):(.+)$/.exec(wanted) ?? [];
  return channels.filter(({ platformId, username }) => {
    const platform = platformOf(platformId);
    const names = [platform, platformName(platform).toLowerCase()];
    if (names.includes(wanted)) return true;
    const isOfNetwork = network === undefined || names.includes(network);
    return isOfNetwork && plain(username ?? '') !== '' && plain(username ?? '') === plain(handle);
  });
}

const plain = (handle: string) => handle.toLowerCase().replace(/^@/, '');

function whenOf(at: string | null, { zone, untimed, dates }: ImportChoices) {
  if (at === null) return untimed === 'draft' ? { status: 'draft' as const } : { publishNow: true };
  if (at === 'next-slot') return { scheduledTime: at, status: 'scheduled' as const };
  const instant = isoInstant(at, zone) ?? writtenInstant(at, zone, dates);
  return instant && { scheduledTime: instant.toISOString(), status: 'scheduled' as const };
}

function isoInstant(at: string, zone: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d?):([0-5]\d)(:[0-5]\d(?:\.\d+)?)?\s?(z|[+-]\d\d:?\d\d)?$/i.exec(at);
  if (!match) return null;
  const [, date, hour, minute, second = ':00', offset] = match;
  const clock = `${hour!.padStart(2, '0')}:${minute}${second.slice(0, 3)}`;
  if (!isDateKey(date) || addDays(date, 0) !== date || clock >= '24') return null;
  const instant = offset ? new Date(`${date}T${clock}${withColon(offset)}`) : instantOf(date, clock, zone);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** `23.11.2026 9:00`, `November 23, 2026 2:30 PM`. Only with a year: "tomorrow" depends on when the file was written. */
function writtenInstant(at: string, zone: string, dates: DateReading): Date | null {
  const hasYear = /\p{Nd}{4}|[./-]\p{Nd}{1,2}[./-]\p{Nd}{2}(?!\p{Nd})/u.test(at);
  const written = hasYear ? readDate(at, dates) : null;
  return written?.clock ? instantOf(dateKeyOf(written), timeText(written.clock), zone) : null;
}

const withColon = (offset: string) => offset.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');

/** 64 bits (FNV-1a, twice). The key only has to differ between rows, and `crypto.subtle` needs https. */
function hashOf(text: string): string {
  const half = (seed: number) => {
    let hash = seed;
    for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
  };
  return half(0x811c9dc5) + half(0x050c5d1f);
}
