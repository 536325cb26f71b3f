import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** For how long; then whoever waits is told. */
export const retryTransientMs = 60_000;
const everyMs = 500;

/**
 * Does again what failed because the database was away, or two got in each other's way. For what we alone know and must
 * not forget, and only for work that may be done twice.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + retryTransientMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > end) throw error;
      await sleep(everyMs);
    }
  }
}

/** Connection trouble, rollback, lack of resources, a lock, a server that starts or stops. What it refuses stays refused. */
const passing = ['08', '40', '53', '55', '57'];
/** What we closed ourselves does not come back. */
const closed = /pool after calling end|been destroyed/;

function mayPass(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.some((kind) => error.code?.startsWith(kind));
  return !(error instanceof Error && closed.test(error.message));
}
