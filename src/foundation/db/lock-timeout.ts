import { type RawBuilder, sql } from 'kysely';

/** A row to join before any lock is taken. It sets how long the statement waits for each lock. */
export type LockTimeout = RawBuilder<unknown>;

const lockTimeout = (time: string): LockTimeout =>
  sql`(select set_config('lock_timeout', ${time}, true)) as lock_timeout`;

/** For a batch: one locked row must not delay the others. */
export const shortLockTimeout = lockTimeout('100ms');
export const longLockTimeout = lockTimeout('30s');
