import type { App } from '../app.ts';
import { startWakeableLoop, type WakeableLoop, type WakeableLoopOptions } from '../lib/wakeable-loop.ts';
import { backgroundFailures } from './metrics.ts';

/** The state of work that always runs in this process, such as the dispatcher. */
export interface WorkHealth {
  succeeded(): void;
  /** Logs the error with the name of the work, and counts it. */
  failed(error: unknown): void;
}

/** By the database pool, of which each app has one. */
const failuresIn = new WeakMap<App['db'], Map<string, number>>();

export function watchWork({ db, log }: Pick<App, 'db' | 'log'>, task: string): WorkHealth {
  const failures = failuresIn.get(db) ?? new Map<string, number>();
  failuresIn.set(db, failures);
  return {
    succeeded: () => void failures.delete(task),
    failed(error) {
      const inARow = (failures.get(task) ?? 0) + 1;
      failures.set(task, inARow);
      backgroundFailures.inc({ task });
      log.error({ err: error, task, failures: inARow }, 'background work failed; it is tried again');
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
    .map(([name, consecutiveFailures]) => ({ name, consecutiveFailures }))
    .filter(({ consecutiveFailures }) => consecutiveFailures >= minFailures);
}
