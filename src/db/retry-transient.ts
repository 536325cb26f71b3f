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

/** SQLSTATE classes: connection, rollback, resources, lock, starting or stopping. Other errors would occur again. */
const transientClasses = ['08', '40', '53', '55', '57'];
/** A pool that we closed ourselves does not come back. */
const closed = /pool after calling end|been destroyed/;

function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientClasses.some((kind) => error.code?.startsWith(kind));
  return !(error instanceof Error && closed.test(error.message));
}
