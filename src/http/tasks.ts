import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily, everyMinute, hourly } from '../periodic/schedule.ts';
import { deleteOldKeys } from './idempotency.ts';
import { deleteOldRateCounters } from './queries.ts';
import { pruneCalls } from './request-log.ts';
import { pruneSessions } from './session.ts';

export const httpTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'prune-idempotency-keys', schedule: daily('03:17'), run: () => deleteOldKeys(db, clock.now()) },
  { name: 'prune-rate-counters', schedule: hourly(37), run: () => deleteOldRateCounters(db, clock.now()) },
  { name: 'prune-request-log', schedule: everyMinute, run: (signal) => pruneCalls({ db }, signal) },
  { name: 'prune-sessions', schedule: daily('03:27'), run: () => pruneSessions({ db, clock }) },
];
