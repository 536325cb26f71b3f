import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { forgetExpired } from './cache-queries.ts';

const pruneStatistics: Queue = { name: 'prune-statistics' };

/** Answers that are no longer given, and rests that are over, go hourly. */
export async function insightTasks({ jobs, db, clock }: Pick<App, 'jobs' | 'db' | 'clock'>) {
  await jobs.work(pruneStatistics, () => forgetExpired(db, clock.now()));
  await jobs.schedule(pruneStatistics, '37 * * * *');
}
