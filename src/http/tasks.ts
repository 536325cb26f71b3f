import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { forgetOldKeys } from './idempotency.ts';

const pruneIdempotencyKeys: Queue = { name: 'prune-idempotency-keys' };

/** Keys are good for a day; nightly, the older ones go. */
export async function idempotencyTasks({ jobs, db, clock }: Pick<App, 'jobs' | 'db' | 'clock'>) {
  await jobs.work(pruneIdempotencyKeys, () => forgetOldKeys(db, clock.now()));
  await jobs.schedule(pruneIdempotencyKeys, '17 3 * * *');
}
