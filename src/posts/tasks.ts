import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily, everyMinute } from '../periodic/schedule.ts';
import { foldCounts } from './count-queries.ts';
import { logWindowMs } from './post-logs.ts';
import { deleteOldLogs } from './write-queries.ts';

export const postTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'fold-post-counts', schedule: everyMinute, run: (signal) => foldCounts(db, signal) },
  // The API shows no logs beyond their window.
  {
    name: 'prune-post-logs',
    schedule: daily('03:37'),
    run: () => deleteOldLogs(db, new Date(clock.now().getTime() - logWindowMs)),
  },
];
