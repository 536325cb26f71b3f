import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { hourly } from '../periodic/schedule.ts';
import { deleteExpired } from './cache-queries.ts';

export const insightTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-statistics', schedule: hourly(37), run: () => deleteExpired(db, clock.now()) },
];
