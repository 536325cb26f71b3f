import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { deleteStaleOAuth } from './oauth/queries.ts';

export const mcpTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-oauth-clients', schedule: daily('03:47'), run: () => deleteStaleOAuth(db, clock.now()) },
];
