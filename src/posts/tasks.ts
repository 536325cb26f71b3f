import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { logWindowMs } from './post-logs.ts';
import { deleteOldLogs } from './write-queries.ts';

/** The API shows no logs beyond their window. */
export const postTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  {
    name: 'prune-post-logs',
    schedule: daily('03:37'),
    run: () => deleteOldLogs(db, new Date(clock.now().getTime() - logWindowMs)),
  },
];
