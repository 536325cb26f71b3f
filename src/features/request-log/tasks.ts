import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { everyMinute } from '../../foundation/periodic/schedule.ts';
import { pruneCalls } from './request-log.ts';

export const requestLogTasks = ({ db }: Pick<App, 'db'>): PeriodicTask[] => [
  { name: 'prune-request-log', schedule: everyMinute, run: (signal) => pruneCalls({ db }, signal) },
];
