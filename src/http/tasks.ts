import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { forgetOldKeys } from './idempotency.ts';
import { forgetEndedSessions } from './queries.ts';

const pruneIdempotencyKeys: Queue = { name: 'prune-idempotency-keys' };
const pruneSessions: Queue = { name: 'prune-sessions' };

/** What is of no use any more goes nightly: keys for retries after a day, sessions that ended. */
export async function httpTasks({ jobs, db, clock }: Pick<App, 'jobs' | 'db' | 'clock'>) {
  await jobs.work(pruneIdempotencyKeys, () => forgetOldKeys(db, clock.now()));
  await jobs.schedule(pruneIdempotencyKeys, '17 3 * * *');
  await jobs.work(pruneSessions, () => forgetEndedSessions(db, clock.now()));
  await jobs.schedule(pruneSessions, '27 3 * * *');
}
