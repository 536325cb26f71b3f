import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily, hourly } from '../../foundation/periodic/schedule.ts';
import { pruneSessions } from './access/session.ts';
import { deleteStaleOAuth } from './oauth/queries.ts';
import { deleteExpiredLinks } from './sign-up/queries.ts';

export const authTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-sessions', schedule: daily('03:27'), run: () => pruneSessions({ db, clock }) },
  { name: 'prune-links', schedule: hourly(42), run: () => deleteExpiredLinks(db, clock.now()) },
  { name: 'prune-oauth-clients', schedule: daily('03:47'), run: () => deleteStaleOAuth(db, clock.now()) },
];
