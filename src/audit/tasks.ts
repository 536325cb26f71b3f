import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { deleteOldAuditEntries } from './queries.ts';

const yearMs = 366 * 24 * 3_600_000;

export const auditTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  {
    name: 'prune-audit-log',
    schedule: daily('03:37'),
    run: () => deleteOldAuditEntries(db, new Date(clock.now().getTime() - yearMs)),
  },
];
