import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { hourly } from '../periodic/schedule.ts';
import { deleteOldChanges } from './queries.ts';

export const streamTasks = ({ db }: Pick<App, 'db'>): PeriodicTask[] => [
  { name: 'prune-changes', schedule: hourly(23), run: () => deleteOldChanges(db) },
];
