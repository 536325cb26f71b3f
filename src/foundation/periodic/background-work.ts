import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { errorText } from '../lib/error-text.ts';
import { startWakeableLoop, type WakeableLoop, type WakeableLoopOptions } from '../lib/wakeable-loop.ts';
import type { Clock } from '../time/clock.ts';
import { backgroundFailures } from './metrics.ts';

/** The dependencies of a loop. */
export interface LoopContext {
  readonly db: Db;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The state of work that always runs in this process, such as the dispatcher. */
export interface WorkHealth {
  /** Logs a recovery if the work failed before. */
  succeeded(): void;
  /** Counts the error, and logs it with the name of the work: the first in a row, then one per minute. */
  failed(error: unknown): void;
}

interface Failures {
  inARow: number;
  loggedAt: number;
}

/** Keyed by database pool; each app has one. */
const failuresIn = new WeakMap<Db, Map<string, Failures>>();

/** Work is retried about every second. While the database is unreachable, a line per failure would bury all others. */
const logEveryMs = 60_000;

export function watchWork({ db, log, clock }: LoopContext, task: string): WorkHealth {
  const failing = failuresIn.get(db) ?? new Map<string, Failures>();
  failuresIn.set(db, failing);
  return {
    succeeded() {
      const before = failing.get(task);
      if (!before) return;
      failing.delete(task);
      log.info({ task, failures: before.inARow }, 'background work succeeded again');
    },
    failed(error) {
      backgroundFailures.inc({ task });
      const now = clock.now().getTime();
      const before = failing.get(task);
      const failures = (before?.inARow ?? 0) + 1;
      const isLogged = !before || now - before.loggedAt >= logEveryMs;
      failing.set(task, { inARow: failures, loggedAt: isLogged ? now : before.loggedAt });
      if (!before) log.error({ err: error, task, failures }, 'background work failed and will be retried');
      else if (isLogged) log.warn({ reason: errorText(error), task, failures }, 'background work is still failing');
    },
  };
}

interface LoopState {
  /** When a run last ended, successfully or not, or made progress. The start of the loop counts too. */
  turnedAt: Date;
  /** When a run last succeeded or made progress. */
  succeededAt: Date | null;
}

/** The loops running in this process, keyed by database pool; each app has one. */
const loopsIn = new WeakMap<Db, Map<string, LoopState>>();

/**
 * Starts a loop, and tracks its failures and whether it still turns. A long run calls `progress` in between: it is
 * busy, not stuck.
 */
export function startWatchedLoop(
  app: LoopContext,
  task: string,
  work: (progress: () => void) => Promise<Date | null>,
  { maxSleepMs }: Pick<WakeableLoopOptions, 'maxSleepMs'>,
): WakeableLoop {
  const { db, clock } = app;
  const health = watchWork(app, task);
  const loops = loopsIn.get(db) ?? new Map<string, LoopState>();
  const state: LoopState = { turnedAt: clock.now(), succeededAt: null };
  loopsIn.set(db, loops.set(task, state));
  const progress = () => {
    state.turnedAt = clock.now();
    state.succeededAt = state.turnedAt;
  };
  const run = async () => {
    const next = await work(progress);
    progress();
    health.succeeded();
    return next;
  };
  const onError = (error: unknown) => {
    state.turnedAt = clock.now();
    health.failed(error);
  };
  const loop = startWakeableLoop(run, { clock, maxSleepMs, onError });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      if (loops.get(task) === state) loops.delete(task);
    },
  };
}

export interface RunningLoop {
  task: string;
  /** How long ago a run last ended or made progress. */
  silentSeconds: number;
  /** Null if no run has succeeded yet. */
  succeededSecondsAgo: number | null;
}

/** The loops of this process, without stopped ones. */
export function runningLoops({ db, clock }: Pick<LoopContext, 'db' | 'clock'>): RunningLoop[] {
  const now = clock.now().getTime();
  const secondsSince = (at: Date) => (now - at.getTime()) / 1000;
  return [...(loopsIn.get(db) ?? [])].map(([task, { turnedAt, succeededAt }]) => ({
    task,
    silentSeconds: secondsSince(turnedAt),
    succeededSecondsAgo: succeededAt && secondsSince(succeededAt),
  }));
}

/** Work that has failed at least this many times in a row without a success since. */
export function failingWork({ db }: Pick<LoopContext, 'db'>, minFailures: number) {
  return [...(failuresIn.get(db) ?? [])]
    .map(([name, { inARow }]) => ({ name, consecutiveFailures: inARow }))
    .filter(({ consecutiveFailures }) => consecutiveFailures >= minFailures);
}
