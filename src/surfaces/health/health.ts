import type { App } from '../../app.ts';
import { migrationNames } from '../../foundation/db/migrations.ts';
import { failingWork, runningLoops } from '../../foundation/periodic/background-work.ts';
import { versionWarnings } from '../../platforms/kit/api-versions.ts';
import { appliedMigrations, type FailingTask, selectFailingTasks, type WorkState, workState } from './queries.ts';
import { storageHealth } from './storage-health.ts';

type Role = App['config']['roles'][number];
const everyRole: readonly Role[] = ['api', 'worker'];

/**
 * Which roles need a check to be ready: a process is ready when it can do its own work. Other processes, the backlog
 * and the storage look the same from all processes, so a load balancer would remove them all, although each could
 * accept posts. Those checks are shown, and have metrics and alerts.
 */
export const neededBy = {
  database: everyRole,
  migrations: everyRole,
  dispatcher: ['worker'],
  loops: ['worker'],
  overdue: [],
  storage: [],
} as const satisfies Record<string, readonly Role[]>;

type CheckName = keyof typeof neededBy;
interface Check {
  ok: boolean;
  detail: string;
}

export interface Readiness {
  ready: boolean;
  checks: Record<CheckName, Check>;
  /**
   * Only if there are any. They do not make the service unready, because it still serves requests and publishes: an
   * orchestrator must not remove it because a nightly cleanup fails.
   */
  failingTasks?: FailingTask[];
  /**
   * Only if there are any: things that the operator has to do within weeks. They do not make the service unready
   * either.
   */
  warnings?: string[];
}

/** A dispatcher looks for due posts at least every 30 s, and a worker records that in its row every 2 s. */
const maxDispatcherSilenceSeconds = 45;
/** No loop sleeps for longer than a minute. */
const maxLoopSilenceSeconds = 120;
const maxOverdueSeconds = 60;
const reportedAfterFailures = 3;

type HealthApp = Pick<App, 'db' | 'clock' | 'log' | 'workerId' | 'config' | 'storage' | 'platformAccess'>;

export async function readiness(app: HealthApp): Promise<Readiness> {
  const { db, clock, workerId, config } = app;
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
    const checks: Readiness['checks'] = {
      database: { ok: true, detail: 'answers' },
      migrations: {
        ok: missing.length === 0,
        detail: missing.length === 0 ? 'applied' : `missing: ${missing.join(', ')}`,
      },
      dispatcher: config.roles.includes('worker') ? ownDispatcher(app) : anyDispatcher(work),
      loops: loopsTurn(app),
      overdue: recent(work.overdueSeconds ?? 0, maxOverdueSeconds),
      storage,
    };
    const failing = [...failingTasks, ...failingWork({ db }, reportedAfterFailures)];
    const warnings = versionWarnings(clock.now(), app.platformAccess.options);
    return {
      ready: unmet(config.roles, checks).length === 0,
      checks,
      ...(failing.length > 0 && { failingTasks: failing }),
      ...(warnings.length > 0 && { warnings }),
    };
  } catch (error) {
    const unknown = { ok: false, detail: 'unknown' };
    const database = { ok: false, detail: `does not respond: ${(error as Error).message}` };
    const checks = { database, migrations: unknown, dispatcher: unknown, loops: loopsTurn(app), overdue: unknown };
    return { ready: false, checks: { ...checks, storage } };
  }
}

/** The checks that keep a process with these roles from being ready. */
export function unmet(roles: readonly Role[], checks: Readiness['checks']): [CheckName, Check][] {
  const names = Object.keys(neededBy) as CheckName[];
  const isNeeded = (name: CheckName) => roles.some((role) => (neededBy[name] as readonly Role[]).includes(role));
  return names.filter((name) => isNeeded(name) && !checks[name].ok).map((name) => [name, checks[name]]);
}

/** As seen in this process: what other workers do, or believe about this one, must not count. */
function ownDispatcher(app: HealthApp): Check {
  const loop = runningLoops(app).find(({ task }) => task === 'dispatcher');
  if (!loop) return { ok: false, detail: 'is not running' };
  if (loop.succeededSecondsAgo === null) return { ok: false, detail: 'has not checked for due posts yet' };
  return recent(loop.succeededSecondsAgo, maxDispatcherSilenceSeconds);
}

function anyDispatcher({ workers, dispatchedSecondsAgo }: WorkState): Check {
  if (workers === 0) return { ok: false, detail: 'no worker is publishing: start a process with the role worker' };
  if (dispatchedSecondsAgo === null) return { ok: false, detail: 'no worker has checked for due posts yet' };
  return recent(dispatchedSecondsAgo, maxDispatcherSilenceSeconds);
}

function loopsTurn(app: HealthApp): Check {
  const stuck = runningLoops(app).filter(({ silentSeconds }) => silentSeconds > maxLoopSilenceSeconds);
  const lines = stuck.map(
    ({ task, silentSeconds }) => `${task} has not completed a run for ${silentSeconds.toFixed(0)} s`,
  );
  return { ok: stuck.length === 0, detail: lines.join(', ') || 'all turn' };
}

const recent = (seconds: number, limit: number): Check => ({
  ok: seconds <= limit,
  detail: `${seconds.toFixed(1)} s, at most ${limit} s`,
});
