import type { Db } from '../db/database.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily, hourly } from '../periodic/schedule.ts';
import type { Clock } from '../time/clock.ts';
import { retentionStart } from '../time/retention-start.ts';
import { deleteOldKeys } from './idempotency.ts';
import { deleteOldRateCounters } from './rate-limits/queries.ts';

interface HttpTasks {
  db: Db;
  clock: Clock;
  config: { retention: { idempotency: number | null } };
}

export const httpTasks = ({ db, clock, config }: HttpTasks): PeriodicTask[] => [
  {
    name: 'prune-idempotency-keys',
    schedule: daily('03:17'),
    run: (signal) => deleteOldKeys(db, retentionStart(config.retention.idempotency, clock.now()), signal),
  },
  { name: 'prune-rate-counters', schedule: hourly(37), run: () => deleteOldRateCounters(db, clock.now()) },
];
