import { sql } from 'kysely';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/database.ts';

/**
 * Adds the rows of new tasks. An existing row keeps its due time, so that a run missed while no process was running is
 * made up for, unless the schedule now requires an earlier one.
 */
export async function registerTasks(db: Db, tasks: readonly { name: string; nextRunAt: Date }[]) {
  await db
    .insertInto('periodic_tasks')
    .values(tasks.map(({ name, nextRunAt }) => ({ name, next_run_at: nextRunAt })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        next_run_at: sql`least(periodic_tasks.next_run_at, excluded.next_run_at)`,
      }),
    )
    .execute();
}

interface Claim {
  names: readonly string[];
  worker: string;
  now: Date;
  leasedUntil: Date;
}

/** The due tasks that no other worker runs. A lease that was never ended counts as a failed run. */
export async function claimDueTasks(
  db: Db,
  { names, worker, now, leasedUntil }: Claim,
): Promise<{ name: string; consecutiveFailures: number }[]> {
  const due = db
    .selectFrom('periodic_tasks')
    .select('name')
    .where('name', '=', anyOf(names))
    .where('next_run_at', '<=', now)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('periodic_tasks')
    .set({
      leased_by: worker,
      leased_until: leasedUntil,
      started_at: now,
      last_failed_at: sql`case when leased_by is null then last_failed_at else leased_until end`,
      last_error: sql`case when leased_by is null then last_error else 'The process ended during the run.' end`,
      consecutive_failures: sql`consecutive_failures + case when leased_by is null then 0 else 1 end`,
    })
    .where('name', 'in', due)
    .returning(['name', 'consecutive_failures as consecutiveFailures'])
    .execute();
}

/** Returns the tasks whose lease this worker still holds. */
export async function renewLeases(db: Db, { names, worker, leasedUntil }: Omit<Claim, 'now'>): Promise<string[]> {
  const renewed = await db
    .updateTable('periodic_tasks')
    .set({ leased_until: leasedUntil })
    .where('name', '=', anyOf(names))
    .where('leased_by', '=', worker)
    .returning('name')
    .execute();
  return renewed.map(({ name }) => name);
}

const released = { leased_by: null, leased_until: null };

export interface EndedRun {
  name: string;
  worker: string;
  now: Date;
  nextRunAt: Date;
}

export async function recordSuccess(db: Db, { name, worker, now, nextRunAt }: EndedRun) {
  await db
    .updateTable('periodic_tasks')
    .set({ ...released, next_run_at: nextRunAt, last_succeeded_at: now, last_error: null, consecutive_failures: 0 })
    .where('name', '=', name)
    .where('leased_by', '=', worker)
    .execute();
}

export async function recordFailure(db: Db, { name, worker, now, nextRunAt }: EndedRun, error: string) {
  await db
    .updateTable('periodic_tasks')
    .set({ ...released, next_run_at: nextRunAt, last_failed_at: now, last_error: error })
    .set('consecutive_failures', ({ eb }) => eb('consecutive_failures', '+', 1))
    .where('name', '=', name)
    .where('leased_by', '=', worker)
    .execute();
}

/** The tasks stay due: another worker runs them immediately. */
export async function releaseLeases(db: Db, worker: string) {
  await db.updateTable('periodic_tasks').set(released).where('leased_by', '=', worker).execute();
}

/** When the first of these tasks can be claimed. */
export async function nextRunTime(db: Db, names: readonly string[]): Promise<Date | null> {
  const found = await db
    .selectFrom('periodic_tasks')
    .select(sql<Date | null>`min(greatest(next_run_at, leased_until))`.as('next'))
    .where('name', '=', anyOf(names))
    .executeTakeFirst();
  return found?.next ?? null;
}
