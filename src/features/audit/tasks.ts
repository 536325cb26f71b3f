import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily } from '../../foundation/periodic/schedule.ts';
import { retentionStart } from '../../foundation/time/retention-start.ts';
import { deleteOldAuditEntries, deleteSurplusAuditEntries } from './queries.ts';

export const auditTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-audit-log',
    schedule: daily('03:37'),
    async run(signal) {
      await deleteOldAuditEntries(db, retentionStart(config.retention.audit, clock.now()), signal);
      await deleteSurplusAuditEntries(db, clock.now(), signal);
    },
  },
];
