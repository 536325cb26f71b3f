import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { hourly } from '../../foundation/periodic/schedule.ts';
import { deleteOldChanges } from './queries.ts';

export const streamTasks = ({ db }: Pick<App, 'db'>): PeriodicTask[] => [
  { name: 'prune-changes', schedule: hourly(23), run: () => deleteOldChanges(db) },
];
