import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { listInTurn } from '../../foundation/http/answers/long-reads.ts';
import { createFairTurns } from '../../foundation/lib/fair-turns.ts';
import type { WakeableLoop } from '../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../foundation/periodic/background-work.ts';
import { inTurns, type Pausable } from '../../foundation/text/in-turns.ts';
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
import { maxMissedBytes } from './sse.ts';

export interface Reader {
  readonly userId: string;
  /** Owners take turns. */
  readonly ownerId: string;
  readonly source: ChangeSource;
  /**
   * Receives changes that it has not seen. `cursor` is where it continues if it reconnects after this batch. Returns
   * how many bytes it has sent.
   */
  receive(changes: readonly Change[], cursor: Cursor): Pausable<number>;
  /** Called if the reader missed something and must read everything again. */
  reload(cursor: Cursor): void;
}

/** Notifies the readers in this process of changes made by any process. */
export interface ChangeFeed {
  /** Starts to record the changes of these users of an owner. The cursor marks the current position. */
  begin(userIds: readonly string[], ownerId: string): Promise<Cursor>;
  /** The reader gets everything after the cursor. Returns a function that removes it. */
  add(reader: Reader, after: Cursor): () => void;
  stop(): Promise<void>;
}

/**
 * A reader who has missed more than this is faster at reloading everything than at reading one change after the
 * other.
 */
const maxChanges = 2_000;
/** One statement reads few changes for many readers. Those who have missed more catch up one after the other. */
const readersPerTurn = 64;
const maxRecentChanges = 50;
/** The limits are one higher, so that a reader who has missed more is noticed. */
const recent = { limit: maxRecentChanges + 1, maxBytes: 32 * 1024 };
const missed = { limit: maxChanges + 1, maxBytes: maxMissedBytes };
/** Reading, signing and writing takes about a twentieth of the rest. */
const restAfter = (bytes: number) => bytes / 2_000;
const renewMs = 10 * 60_000;
/** How long a new reader waits for transactions that began before its recording. They have almost always ended. */
const settleMs = 1_000;
const recheckMs = 1_000;

export function openChangeFeed(app: Pick<App, 'db' | 'listener' | 'clock' | 'log'>): ChangeFeed {
  /** The cursor of each reader, by user. */
  const readers = new Map<string, Map<Reader, Cursor>>();
  /** Readers that may have missed changes: those of each owner, with the owners in the order of their next turns. */
  const lines = new Map<string, Set<Reader>>();
  const catchUps = createFairTurns({ places: 2, perOwner: 1 });
  const catchingUp = new Set<Reader>();
  const unsettled = new Set<Reader>();
  let read: Promise<unknown> = Promise.resolve();
  let loop: WakeableLoop | null = null;
  let renewal: NodeJS.Timeout | undefined;

  const cursorOf = (reader: Reader) => readers.get(reader.userId)?.get(reader);

  function wake(woken: Iterable<Reader>) {
    for (const reader of woken) {
      const line = lines.get(reader.ownerId);
      if (line) line.add(reader);
      else lines.set(reader.ownerId, new Set([reader]));
    }
    if (lines.size > 0) loop?.wake();
  }
  app.listener.on('changes', (userId) => wake(readers.get(userId)?.keys() ?? []));
  app.listener.onGap(() => {
    for (const ofUser of readers.values()) wake(ofUser.keys());
  });

  function start() {
    loop ??= startWatchedLoop(app, 'event-stream', sendChanges, { maxSleepMs: 60_000 });
    renewal ??= setInterval(() => void recordChanges(app.db, [...readers.keys()]).catch(() => {}), renewMs).unref();
  }

  /** One reader of each owner per round. */
  function takeNext(): [Reader, Cursor][] {
    const taken: [Reader, Cursor][] = [];
    for (const [ownerId, line] of lines) {
      if (taken.length === readersPerTurn) break;
      const [reader] = line;
      line.delete(reader!);
      lines.delete(ownerId);
      // The owner moves to the end of the round, which this loop reaches as well.
      if (line.size > 0) lines.set(ownerId, line);
      // The reader may have left, or wakes itself when it has caught up.
      const after = cursorOf(reader!);
      if (after !== undefined && !catchingUp.has(reader!)) taken.push([reader!, after]);
    }
    return taken;
  }

  /** One statement reads for many readers. Readers with the same cursor share its result. */
  async function sendChanges(): Promise<null> {
    const waiting = takeNext();
    if (waiting.length === 0) return null;
    const wanted = new Map(waiting.map(([reader, after]) => [placeOf(reader, after), wantedBy(reader, after)]));
    const { cursor, batches } = await readChanges(app.db, [...wanted.values()], recent).catch((error) => {
      wake(waiting.map(([reader]) => reader));
      throw error;
    });
    const found = new Map([...wanted.keys()].map((place, index) => [place, batches[index]!]));
    await inTurns(sendAll());
    // Others wait for their turns.
    wake([]);
    return null;

    function* sendAll(): Pausable<void> {
      for (const [reader, after] of waiting) {
        const batch = found.get(placeOf(reader, after))!;
        if (isLonger(batch, maxRecentChanges))
          void catchUp(reader).catch((err) => app.log.error({ err }, 'an event stream could not catch up'));
        else yield* send(batch, cursor, reader);
        yield;
      }
    }
  }

  async function catchUp(reader: Reader) {
    catchingUp.add(reader);
    try {
      using turn = (await catchUps.acquire(reader.ownerId))!;
      const after = cursorOf(reader);
      if (after === undefined) return;
      turn.restMs = restAfter(maxMissedBytes);
      const reading = readChanges(app.db, [wantedBy(reader, after)], missed);
      read = Promise.allSettled([read, reading]);
      const { cursor, batches } = await reading;
      turn.restMs = restAfter(await inTurns(send(batches[0]!, cursor, reader)));
    } finally {
      catchingUp.delete(reader);
      wake([reader]);
    }
  }

  /** Returns how many bytes it has read or sent. */
  function* send(batch: Batch, cursor: Cursor, reader: Reader): Pausable<number> {
    // The reader may have left during the read.
    if (cursorOf(reader) === undefined) return 0;
    readers.get(reader.userId)!.set(reader, cursor);
    if (batch.isIncomplete && !batch.isSettled) recheck(reader);
    if (isLonger(batch, maxChanges) || (batch.isIncomplete && batch.isSettled)) reader.reload(cursor);
    else return batch.changes.length > 0 ? yield* reader.receive(batch.changes, cursor) : 0;
    return maxMissedBytes;
  }

  /** A transaction that began before the recording is still running. Checks again when it may have ended. */
  function recheck(reader: Reader) {
    if (unsettled.has(reader)) return;
    unsettled.add(reader);
    setTimeout(() => {
      unsettled.delete(reader);
      wake([reader]);
    }, recheckMs).unref();
  }

  return {
    async begin(userIds, ownerId) {
      await listInTurn(
        ownerId,
        () => recordChanges(app.db, userIds),
        () => userIds.length,
      );
      const deadline = performance.now() + settleMs;
      for (;;) {
        const { cursor, isSettled } = await currentCursor(app.db, userIds);
        if (isSettled || performance.now() > deadline) return cursor;
        await sleep(20);
      }
    },
    add(reader, after) {
      const { userId } = reader;
      const standing = readers.get(userId) ?? new Map<Reader, Cursor>();
      readers.set(userId, standing.set(reader, after));
      start();
      wake([reader]);
      return () => {
        standing.delete(reader);
        if (standing.size === 0 && readers.get(userId) === standing) readers.delete(userId);
      };
    },
    async stop() {
      readers.clear();
      clearInterval(renewal);
      await loop?.stop();
      await read;
    },
  };
}

const isLonger = ({ changes, isLong }: Batch, limit: number) => isLong || changes.length > limit;

const wantedBy = ({ userId, source }: Reader, after: Cursor): Wanted => ({ userId, source, after });

const placeOf = ({ userId, source }: Reader, after: Cursor) => `${userId} ${source} ${after}`;
