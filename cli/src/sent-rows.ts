import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Remembers by their keys which rows were sent, whichever file they came from. */
export interface SentRows {
  /** When the row was first sent, in milliseconds; undefined if it never was. */
  firstSent(key: string): number | undefined;
  /** Call it before sending: this process may end before the response arrives. */
  sending(keys: readonly string[]): Promise<void>;
  /** The service has not stored this row, so this run has not sent it. */
  refused(key: string): Promise<void>;
}

const keptMs = 90 * 86_400_000;
/** About 300,000 rows. */
const keptBytes = 32_000_000;

/**
 * The folder has one file per day. Files are only appended to and deleted as a whole, so imports that run at the same
 * time lose nothing. A run can take back only what it added itself: an earlier run may have sent the row.
 */
export async function openSentRows(folder: string): Promise<SentRows> {
  const first = firstTimes(await readDays(folder));
  const run = randomUUID();
  async function add(keys: readonly string[], state: State) {
    const now = Date.now();
    // The line break comes first: if the disk was full, the last line is incomplete.
    const lines = keys.map((key) => `\n${now} ${run} ${key} ${state}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(join(folder, dayOf(now)), lines.join(''), { mode: 0o600, flush: true });
  }
  return {
    firstSent: (key) => first.get(key),
    sending: (keys) => add(keys, 'sent'),
    refused: (key) => add([key], 'refused'),
  };
}

type State = 'sent' | 'refused';

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Reads the days from the oldest to the newest, and deletes those that are too old, or too much to read. */
async function readDays(folder: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const days = names.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name)).toSorted();
  const oldest = dayOf(Date.now() - keptMs);
  const contents: string[] = [];
  let bytes = 0;
  for (const day of days.toReversed()) {
    const path = join(folder, day);
    if (day < oldest || bytes >= keptBytes) {
      await rm(path, { force: true });
      continue;
    }
    const content = (await unlessMissing(readFile(path, 'utf8'))) ?? '';
    bytes += content.length;
    contents.unshift(content);
  }
  return contents;
}

/** Another import may have deleted the file. Any other error must end the import: it could send rows twice. */
const unlessMissing = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

function firstTimes(contents: readonly string[]): Map<string, number> {
  const sent = new Map<string, { key: string; time: number }>();
  for (const line of contents.flatMap((content) => content.split('\n'))) {
    const [time, run, key = '', state] = line.split(' ');
    if (state === ('sent' satisfies State)) sent.set(`${run} ${key}`, { key, time: Number(time) });
    if (state === ('refused' satisfies State)) sent.delete(`${run} ${key}`);
  }
  const first = new Map<string, number>();
  for (const { key, time } of sent.values()) first.set(key, Math.min(time, first.get(key) ?? time));
  return first;
}
