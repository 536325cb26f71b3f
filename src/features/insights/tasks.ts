import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { hourly } from '../../foundation/periodic/schedule.ts';
import { deleteExpired } from './cache-queries.ts';

export const insightTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-statistics', schedule: hourly(37), run: () => deleteExpired(db, clock.now()) },
];
