import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorText } from '../lib/error-text.ts';
import { NoPrimaryError } from './connection-to.ts';

/** How long a start waits for a database that is restarting, failing over or not up yet. */
export const startWaitSeconds = 60;
const everyMs = 500;

/** The database did not come back. The message says so in a sentence. */
export class DatabaseDownError extends Error {
  override name = 'DatabaseDownError';
}

/** Runs one step of a start, and repeats it while the database is down. */
export type Retrying = <T>(step: () => Promise<T>) => Promise<T>;

/** Only for steps that can be repeated, whether or not they have had an effect. */
export function retryWhileDown(
  log: { warn(text: string): void; info(text: string): void },
  { waitSeconds = startWaitSeconds, throwIfCancelled = () => {} } = {},
): Retrying {
  return async (step) => {
    let downSince: number | null = null;
    for (;;) {
      try {
        const answer = await step();
        if (downSince !== null) log.info('the database responds again');
        return answer;
      } catch (error) {
        if (!isDatabaseDown(error)) throw error;
        const now = performance.now();
        if (downSince === null)
          log.warn(`the database does not respond (${errorText(error)}): ${retries(waitSeconds)}`);
        downSince ??= now;
        if (now - downSince >= waitSeconds * 1000) throw stillDown(error, waitSeconds);
        throwIfCancelled();
        await sleep(everyMs);
      }
    }
  };
}

const retries = (seconds: number) => `Crier retries for ${seconds} seconds`;

const stillDown = (cause: unknown, seconds: number) =>
  new DatabaseDownError(
    `The database did not respond for ${seconds} seconds (${errorText(cause)}). ` +
      'Check that the server is running, then start Crier again.',
    { cause },
  );

/** SQLSTATE classes: connection, resources such as connections, starting or stopping; and a standby. */
const downCodes = ['08', '25006', '53', '57P'];
/** Errors of the `pg` package, which have no code. */
const lostConnection = /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed))/;
const networkCalls = ['connect', 'read', 'write', 'getaddrinfo'];

/** Whether the same call may succeed once the server is back. A wrong password or database name stays wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return downCodes.some((kind) => error.code?.startsWith(kind));
  if (error instanceof NoPrimaryError || error instanceof DatabaseDownError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return networkCalls.includes(String(error.syscall));
  return lostConnection.test(error.message) || isDatabaseDown(error.cause);
}
