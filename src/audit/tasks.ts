import type { App } from '../app.ts';
import { retentionStart } from '../lib/retention-start.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { deleteOldAuditEntries } from './queries.ts';

export const auditTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-audit-log',
    schedule: daily('03:37'),
    run: (signal) => deleteOldAuditEntries(db, retentionStart(config.retention.audit, clock.now()), signal),
  },
];
