import type { App } from '../app.ts';
import { retentionStart } from '../lib/retention-start.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily, everyMinute, hourly } from '../periodic/schedule.ts';
import { deleteOldKeys } from './idempotency.ts';
import { deleteOldRateCounters } from './queries.ts';
import { pruneCalls } from './request-log.ts';
import { pruneSessions } from './session.ts';

export const httpTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-idempotency-keys',
    schedule: daily('03:17'),
    run: (signal) => deleteOldKeys(db, retentionStart(config.retention.idempotency, clock.now()), signal),
  },
  { name: 'prune-rate-counters', schedule: hourly(37), run: () => deleteOldRateCounters(db, clock.now()) },
  { name: 'prune-request-log', schedule: everyMinute, run: (signal) => pruneCalls({ db }, signal) },
  { name: 'prune-sessions', schedule: daily('03:27'), run: () => pruneSessions({ db, clock }) },
];
