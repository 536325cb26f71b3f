import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { everyMinute } from '../../foundation/periodic/schedule.ts';
import { pruneBodies, pruneCalls } from './request-log.ts';

export const requestLogTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-request-log', schedule: everyMinute, run: (signal) => pruneCalls({ db }, signal) },
  { name: 'prune-request-bodies', schedule: everyMinute, run: () => pruneBodies({ db, clock }) },
];
