import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long to retry before the caller gets the error. */
export const retryTransientMs = 60_000;
const everyMs = 500;

/**
 * Retries work that failed because the database was unreachable or because of a conflict with another transaction. Use
 * it for facts that only this process knows and that must be stored, and only for work that is safe to repeat.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + retryTransientMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() > end) throw error;
      await sleep(everyMs);
    }
  }
}

/**
 * SQLSTATE classes: connection, rollback, resources, lock, starting or stopping. The full code means a server that
 * accepts no writes: during a failover, a connection may reach a standby. Other errors would recur.
 */
const transientCodes = ['08', '25006', '40', '53', '55', '57'];
/** A pool that we closed ourselves stays closed. */
const closed = /pool after calling end|been destroyed/;

function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientCodes.some((kind) => error.code?.startsWith(kind));
  return !(error instanceof Error && closed.test(error.message));
}
