import { type RawBuilder, sql } from 'kysely';

/** A row to join with, before any lock is taken: how long the statement waits for each. */
export type Patience = RawBuilder<unknown>;

const waiting = (time: string): Patience => sql`(select set_config('lock_timeout', ${time}, true)) as patience`;

/** For many at once: whoever holds one of them locked must not hold up the others. */
export const impatient = waiting('100ms');
export const patient = waiting('30s');
