import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long to retry before the caller gets the error. */
export const retryTransientMs = 60_000;
const everyMs = 500;

/**
 * Retries work that failed because the database could not be reached, or because of a conflict with another transaction. Use
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
 * SQLSTATE classes: connection, rollback, resources, lock, starting or stopping. The full code is that of a server that takes no
 * writes: during a fail-over, a connection may reach a standby. Other errors would occur again.
 */
const transientCodes = ['08', '25006', '40', '53', '55', '57'];
/** A pool that we closed ourselves does not come back. */
const closed = /pool after calling end|been destroyed/;

function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientCodes.some((kind) => error.code?.startsWith(kind));
  return !(error instanceof Error && closed.test(error.message));
}
