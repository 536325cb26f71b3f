import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { logWindowMs } from './post-logs.ts';
import { deleteOldLogs } from './write-queries.ts';

const pruneLogs: Queue = { name: 'prune-post-logs' };

/** Nobody can read logs beyond their window; nightly, they go. */
export async function postTasks({ jobs, db, clock }: Pick<App, 'jobs' | 'db' | 'clock'>) {
  await jobs.work(pruneLogs, () => deleteOldLogs(db, new Date(clock.now().getTime() - logWindowMs)));
  await jobs.schedule(pruneLogs, '37 3 * * *');
}
