import { type RawBuilder, sql } from 'kysely';

/** A row to join with, before any lock is taken: how long the statement waits for each. */
export type LockTimeout = RawBuilder<unknown>;

const lockTimeout = (time: string): LockTimeout =>
  sql`(select set_config('lock_timeout', ${time}, true)) as lock_timeout`;

/** For many at once: whoever holds one of them locked must not hold up the others. */
export const shortLockTimeout = lockTimeout('100ms');
export const longLockTimeout = lockTimeout('30s');
