import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import type { WakeableLoop } from '../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../foundation/periodic/background-work.ts';
import {
  type Batch,
  type Change,
  type ChangeSource,
  type Cursor,
  currentCursor,
  readChanges,
  recordChanges,
  type Wanted,
} from './queries.ts';

export interface Reader {
  readonly userId: string;
  readonly source: ChangeSource;
  /** Receives changes that it has not seen. `cursor` is where it continues if it reconnects after this batch. */
  receive(changes: readonly Change[], cursor: Cursor): void;
  /** Called if the reader missed something and must read everything again. */
  reload(cursor: Cursor): void;
}

/** Notifies the readers in this process of changes made by any process. */
export interface ChangeFeed {
  /** Starts to record the changes of the user. The cursor marks the current position. */
  begin(userId: string): Promise<Cursor>;
  /** The reader gets everything after the cursor. Returns a function that removes it. */
  add(reader: Reader, after: Cursor): () => void;
  stop(): Promise<void>;
}

/**
 * A reader who has missed more than this is faster at reloading everything than at reading one change after the
 * other.
 */
const maxChanges = 2_000;
const renewMs = 10 * 60_000;
/** How long a new reader waits for transactions that began before its recording. They have almost always ended. */
const settleMs = 1_000;
const recheckMs = 1_000;

export function openChangeFeed(app: Pick<App, 'db' | 'listener' | 'clock' | 'log'>): ChangeFeed {
  /** The cursor of each reader, by user. */
  const readers = new Map<string, Map<Reader, Cursor>>();
  /** Users with changes that their readers have not seen. */
  const changed = new Set<string>();
  let loop: WakeableLoop | null = null;
  let renewal: NodeJS.Timeout | undefined;

  function wake(userIds: Iterable<string>) {
    for (const userId of userIds) if (readers.has(userId)) changed.add(userId);
    if (changed.size > 0) loop?.wake();
  }
  app.listener.on('changes', (userId) => wake([userId]));
  app.listener.onGap(() => wake(readers.keys()));

  function start() {
    loop ??= startWatchedLoop(app, 'event-stream', sendChanges, { maxSleepMs: 60_000 });
    renewal ??= setInterval(() => void recordChanges(app.db, [...readers.keys()]).catch(() => {}), renewMs).unref();
  }

  /** One statement reads for all readers. Readers with the same cursor share its result. */
  async function sendChanges(): Promise<Date | null> {
    const waiting = [...changed].flatMap((userId) => [...(readers.get(userId) ?? [])]);
    changed.clear();
    if (waiting.length === 0) return null;
    const wanted = new Map(waiting.map(([reader, after]) => [placeOf(reader, after), wantedBy(reader, after)]));
    const { cursor, batches } = await readChanges(app.db, [...wanted.values()], maxChanges + 1).catch((error) => {
      wake(waiting.map(([{ userId }]) => userId));
      throw error;
    });
    const found = new Map([...wanted.keys()].map((place, index) => [place, batches[index]!]));
    const unsettled = waiting.filter(([reader, after]) => {
      const standing = readers.get(reader.userId);
      // The reader may have left during the read.
      if (!standing?.has(reader)) return false;
      standing.set(reader, cursor);
      const batch = found.get(placeOf(reader, after))!;
      pass(batch, cursor, reader);
      return batch.isIncomplete && !batch.isSettled;
    });
    for (const [{ userId }] of unsettled) changed.add(userId);
    // A transaction that began before the recording is still running. Check again when it may have ended.
    return unsettled.length > 0 ? new Date(app.clock.now().getTime() + recheckMs) : null;
  }

  return {
    async begin(userId) {
      await recordChanges(app.db, [userId]);
      const deadline = performance.now() + settleMs;
      for (;;) {
        const { cursor, isSettled } = await currentCursor(app.db, userId);
        if (isSettled || performance.now() > deadline) return cursor;
        await sleep(20);
      }
    },
    add(reader, after) {
      const { userId } = reader;
      const standing = readers.get(userId) ?? new Map<Reader, Cursor>();
      readers.set(userId, standing.set(reader, after));
      start();
      wake([userId]);
      return () => {
        standing.delete(reader);
        if (standing.size === 0 && readers.get(userId) === standing) readers.delete(userId);
      };
    },
    async stop() {
      readers.clear();
      clearInterval(renewal);
      await loop?.stop();
    },
  };
}

function pass({ changes, isIncomplete, isSettled }: Batch, cursor: Cursor, reader: Reader) {
  if (changes.length > maxChanges || (isIncomplete && isSettled)) reader.reload(cursor);
  else if (changes.length > 0) reader.receive(changes, cursor);
}

const wantedBy = ({ userId, source }: Reader, after: Cursor): Wanted => ({ userId, source, after });

const placeOf = ({ userId, source }: Reader, after: Cursor) => `${userId} ${source} ${after}`;
