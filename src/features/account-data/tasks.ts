import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { everyMinute } from '../../foundation/periodic/schedule.ts';
import { eraseDueAccounts } from './erasure/erase-due.ts';

export const accountDataTasks = (app: Parameters<typeof eraseDueAccounts>[0]): PeriodicTask[] => [
  { name: 'erase-accounts', schedule: everyMinute, run: (signal) => eraseDueAccounts(app, signal) },
];
