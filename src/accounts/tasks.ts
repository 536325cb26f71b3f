import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { hourly } from '../periodic/schedule.ts';
import { deleteExpiredLinks } from './sign-up-queries.ts';

export const accountTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-links', schedule: hourly(42), run: () => deleteExpiredLinks(db, clock.now()) },
];
