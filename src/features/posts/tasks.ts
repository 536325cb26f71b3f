import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily, everyMinute } from '../../foundation/periodic/schedule.ts';
import { retentionStart } from '../../foundation/time/retention-start.ts';
import { foldCounts } from './list/count-queries.ts';
import { deleteOldLogs } from './write-queries.ts';

export const postTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  { name: 'fold-post-counts', schedule: everyMinute, run: (signal) => foldCounts(db, signal) },
  {
    name: 'prune-post-logs',
    schedule: daily('03:37'),
    run: (signal) => deleteOldLogs(db, retentionStart(config.retention.logs, clock.now()), signal),
  },
];
