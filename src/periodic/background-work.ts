import type { App } from '../app.ts';
import { errorWords } from '../lib/error-words.ts';
import { startWakeableLoop, type WakeableLoop, type WakeableLoopOptions } from '../lib/wakeable-loop.ts';
import { backgroundFailures } from './metrics.ts';

/** The state of work that always runs in this process, such as the dispatcher. */
export interface WorkHealth {
  /** Logs it if the work failed before. */
  succeeded(): void;
  /** Counts the error, and logs it with the name of the work: the first in a row, and then one a minute. */
  failed(error: unknown): void;
}

interface Failures {
  inARow: number;
  loggedAt: number;
}

/** By the database pool, of which each app has one. */
const failuresIn = new WeakMap<App['db'], Map<string, Failures>>();

/** Work is tried again every second or so. While the database is away, a line for each failure would bury all others. */
const logEveryMs = 60_000;

export function watchWork({ db, log, clock }: Pick<App, 'db' | 'log' | 'clock'>, task: string): WorkHealth {
  const failing = failuresIn.get(db) ?? new Map<string, Failures>();
  failuresIn.set(db, failing);
  return {
    succeeded() {
      const before = failing.get(task);
      if (!before) return;
      failing.delete(task);
      log.info({ task, failures: before.inARow }, 'background work succeeds again');
    },
    failed(error) {
      backgroundFailures.inc({ task });
      const now = clock.now().getTime();
      const before = failing.get(task);
      const failures = (before?.inARow ?? 0) + 1;
      const isLogged = !before || now - before.loggedAt >= logEveryMs;
      failing.set(task, { inARow: failures, loggedAt: isLogged ? now : before.loggedAt });
      if (!before) log.error({ err: error, task, failures }, 'background work failed; it is tried again');
      else if (isLogged) log.warn({ reason: errorWords(error), task, failures }, 'background work still fails');
    },
  };
}

/** A loop whose failures are watched. */
export function startWatchedLoop(
  app: Pick<App, 'db' | 'log' | 'clock'>,
  task: string,
  work: () => Promise<Date | null>,
  { maxSleepMs }: Pick<WakeableLoopOptions, 'maxSleepMs'>,
): WakeableLoop {
  const health = watchWork(app, task);
  const run = async () => {
    const next = await work();
    health.succeeded();
    return next;
  };
  return startWakeableLoop(run, { clock: app.clock, maxSleepMs, onError: health.failed });
}

/** What has failed at least so many times in a row and has not succeeded since. */
export function failingWork({ db }: Pick<App, 'db'>, minFailures: number) {
  return [...(failuresIn.get(db) ?? [])]
    .map(([name, { inARow }]) => ({ name, consecutiveFailures: inARow }))
    .filter(({ consecutiveFailures }) => consecutiveFailures >= minFailures);
}
