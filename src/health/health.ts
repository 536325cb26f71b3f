import type { App } from '../app.ts';
import { migrationNames } from '../db/migrations.ts';
import { failingWork } from '../periodic/background-work.ts';
import { endingVersions } from './api-versions.ts';
import { appliedMigrations, type FailingTask, selectFailingTasks, workState } from './queries.ts';
import { storageHealth } from './storage-health.ts';

export interface Readiness {
  /**
   * All checks but that of the storage: without it everything else still works, and as all processes have the same one, a
   * balancer would take them all away.
   */
  ready: boolean;
  checks: Record<'database' | 'migrations' | 'dispatcher' | 'overdue' | 'storage', { ok: boolean; detail: string }>;
  /**
   * Only if there are any. They do not make the service unready, because it still serves requests and publishes: an
   * orchestrator must not take it away for a nightly clean-up that fails.
   */
  failingTasks?: FailingTask[];
  /** Only if there are any: what the operator has to do within weeks. They do not make the service unready either. */
  warnings?: string[];
}

/** A dispatcher looks for due posts at least every 30 s, and a worker writes that into its row every 2 s. */
const maxDispatcherSilenceSeconds = 45;
const maxOverdueSeconds = 60;
const reportedAfterFailures = 3;

type Needs = Pick<App, 'db' | 'clock' | 'log' | 'workerId' | 'storage' | 'platformAccess'>;

/** Ready means that work is being done, not only that the database can be reached. The worker of this process counts first. */
export async function readiness(app: Needs): Promise<Readiness> {
  const { db, clock, workerId } = app;
  const { ok, detail } = await storageHealth(app);
  const storage = { ok, detail };
  try {
    const now = clock.now();
    const [applied, wanted, work, failingTasks] = await Promise.all([
      appliedMigrations(db),
      migrationNames(),
      workState(db, workerId, now),
      selectFailingTasks(db, reportedAfterFailures, now),
    ]);
    const missing = wanted.filter((name) => !applied.includes(name));
    const needed = {
      database: { ok: true, detail: 'answers' },
      migrations: {
        ok: missing.length === 0,
        detail: missing.length === 0 ? 'applied' : `missing: ${missing.join(', ')}`,
      },
      dispatcher: recent(
        work.dispatchedSecondsAgo,
        maxDispatcherSilenceSeconds,
        'no worker has looked for due posts yet',
      ),
      overdue: recent(work.overdueSeconds ?? 0, maxOverdueSeconds, ''),
    };
    const ready = Object.values(needed).every((check) => check.ok);
    const failing = [...failingTasks, ...failingWork({ db }, reportedAfterFailures)];
    const warnings = endingVersions(app);
    return {
      ready,
      checks: { ...needed, storage },
      ...(failing.length > 0 && { failingTasks: failing }),
      ...(warnings.length > 0 && { warnings }),
    };
  } catch (error) {
    const unknown = { ok: false, detail: 'unknown' };
    const database = { ok: false, detail: `does not answer: ${(error as Error).message}` };
    return { ready: false, checks: { database, migrations: unknown, dispatcher: unknown, overdue: unknown, storage } };
  }
}

function recent(seconds: number | null, limit: number, never: string) {
  if (seconds === null) return { ok: false, detail: never };
  return { ok: seconds <= limit, detail: `${seconds.toFixed(1)} s, at most ${limit} s` };
}
