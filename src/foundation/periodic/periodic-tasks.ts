import { setTimeout as sleep } from 'node:timers/promises';
import { retryTransient } from '../db/retry-transient.ts';
import { storable } from '../lib/storable.ts';
import { type LoopContext, startWatchedLoop } from './background-work.ts';
import { taskRuns } from './metrics.ts';
import {
  claimDueTasks,
  nextRunTime,
  recordFailure,
  recordSuccess,
  registerTasks,
  releaseLeases,
  renewLeases,
} from './queries.ts';
import type { Schedule } from './schedule.ts';

export interface PeriodicTask {
  /** Also the key of its database row: renaming a task makes it a new one. */
  readonly name: string;
  readonly schedule: Schedule;
  /**
   * Must be safe to rerun, because a process can die in the middle of it. When the signal aborts, another process may
   * run the task.
   */
  run(signal: AbortSignal): Promise<void>;
}

export interface PeriodicTasks {
  /** Looks for due tasks now instead of at the next due time. */
  wake(): void;
  /** Starts no more tasks and waits at most this long for the running ones. Unfinished tasks run again elsewhere. */
  stop(timeoutMs: number): Promise<void>;
}

/** How long until the tasks of a dead process are free again. */
const leaseMs = 60_000;
/** Each wake-up renews the leases of running tasks, so several must fit within a lease. */
const maxSleepMs = leaseMs / 3;

/** Runs each task once per period, in only one of all processes. A missed period is made up for once. */
export async function startPeriodicTasks(
  app: LoopContext & { readonly workerId: string },
  tasks: readonly PeriodicTask[],
): Promise<PeriodicTasks> {
  const { db, clock, log, workerId: worker } = app;
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const running = new Map<string, { aborting: AbortController; ended: Promise<void> }>();
  let stopping = false;

  async function startDueTasks(): Promise<Date | null> {
    if (stopping) return null;
    const now = clock.now();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    await renewRunning(leasedUntil);
    const idle = () => [...byName.keys()].filter((name) => !running.has(name));
    if (idle().length === 0) return null;
    for (const claim of await claimDueTasks(db, { names: idle(), worker, now, leasedUntil })) {
      const aborting = new AbortController();
      running.set(claim.name, { aborting, ended: runTask(byName.get(claim.name)!, claim, aborting.signal) });
    }
    return idle().length === 0 ? null : nextRunTime(db, idle());
  }

  /** The lease may have expired while this process was suspended. In that case, another process runs the task. */
  async function renewRunning(leasedUntil: Date) {
    if (running.size === 0) return;
    const leased = await renewLeases(db, { names: [...running.keys()], worker, leasedUntil });
    for (const [name, { aborting }] of running) if (!leased.includes(name)) aborting.abort();
  }

  async function runTask(
    task: PeriodicTask,
    { consecutiveFailures }: { consecutiveFailures: number },
    signal: AbortSignal,
  ) {
    const { name, schedule } = task;
    try {
      await task.run(signal);
      const now = clock.now();
      await retryTransient(() => recordSuccess(db, { name, worker, now, nextRunAt: schedule(now) }));
      taskRuns.inc({ task: name, outcome: 'succeeded' });
    } catch (error) {
      const now = clock.now();
      const nextRunAt = new Date(now.getTime() + backoffMs(consecutiveFailures));
      taskRuns.inc({ task: name, outcome: 'failed' });
      log.error({ err: error, task: name, failures: consecutiveFailures + 1, nextRunAt }, 'periodic task failed');
      const reason = storable(error instanceof Error ? error.message : String(error));
      await retryTransient(() => recordFailure(db, { name, worker, now, nextRunAt }, reason)).catch((cause: unknown) =>
        log.error({ err: cause, task: name }, 'the failure of a periodic task could not be recorded'),
      );
    } finally {
      running.delete(name);
      loop.wake();
    }
  }

  await registerTasks(
    db,
    tasks.map(({ name, schedule }) => ({ name, nextRunAt: schedule(clock.now()) })),
  );
  const loop = startWatchedLoop(app, 'periodic-tasks', startDueTasks, { maxSleepMs });

  return {
    wake: () => loop.wake(),
    async stop(timeoutMs) {
      stopping = true;
      await loop.stop();
      const waiting = new AbortController();
      const ended = Promise.all([...running.values()].map((run) => run.ended));
      await Promise.race([ended, sleep(timeoutMs, undefined, { signal: waiting.signal }).catch(() => {})]);
      waiting.abort();
      if (running.size === 0) return;
      for (const { aborting } of running.values()) aborting.abort();
      await releaseLeases(db, worker);
    },
  };
}

const firstBackoffMs = 30_000;
const maxBackoffMs = 15 * 60_000;

/** Doubles with each consecutive failure. */
const backoffMs = (failuresBefore: number) => Math.min(firstBackoffMs * 2 ** failuresBefore, maxBackoffMs);
