import type { App } from '../app.ts';
import { migrationNames } from '../db/migrate.ts';
import { appliedMigrations, workState } from './queries.ts';

export interface Readiness {
  ready: boolean;
  checks: Record<'database' | 'migrations' | 'dispatcher' | 'overdue', { ok: boolean; detail: string }>;
}

/** A dispatcher looks at least every 30 s, a worker's row is refreshed every 2 s. */
const dispatcherSilenceSeconds = 45;
const overdueSeconds = 60;

/** Not "can we connect?" but "is work being done?": by the workers' own rows, that of this process first. */
export async function readiness({ db, clock, workerId }: Pick<App, 'db' | 'clock' | 'workerId'>): Promise<Readiness> {
  try {
    const [applied, wanted, work] = await Promise.all([
      appliedMigrations(db),
      migrationNames(),
      workState(db, workerId, clock.now()),
    ]);
    const missing = wanted.filter((name) => !applied.includes(name));
    const checks = {
      database: { ok: true, detail: 'answers' },
      migrations: {
        ok: missing.length === 0,
        detail: missing.length === 0 ? 'applied' : `missing: ${missing.join(', ')}`,
      },
      dispatcher: recent(work.dispatchedSecondsAgo, dispatcherSilenceSeconds, 'no worker has looked for due posts yet'),
      overdue: recent(work.overdueSeconds ?? 0, overdueSeconds, ''),
    };
    return { ready: Object.values(checks).every(({ ok }) => ok), checks };
  } catch (error) {
    const silent = { ok: false, detail: 'unknown' };
    const database = { ok: false, detail: `does not answer: ${(error as Error).message}` };
    return { ready: false, checks: { database, migrations: silent, dispatcher: silent, overdue: silent } };
  }
}

function recent(seconds: number | null, limit: number, never: string) {
  if (seconds === null) return { ok: false, detail: never };
  return { ok: seconds <= limit, detail: `${seconds.toFixed(1)} s, at most ${limit} s` };
}
