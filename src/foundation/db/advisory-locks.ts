import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/** Keys of all advisory locks that are not derived from an id. Any number works if no other lock uses it. */
export const advisoryLocks = {
  /** Held in shared mode by every process that uses the embedded server. */
  embeddedUsers: 7_246_042,
  embeddedCreation: 7_246_049,
  migration: 7_246_041,
  /** Lets only one of several processes that start at the same time seed an empty database. */
  demo: 7_246_043,
  keyRotation: 7_246_045,
  firstUser: 7_246_048,
  /** The first half of a two-part key. */
  pendingSignUp: 7_246_047,
  fileDeletion: 7_246_046,
} as const;

/** What a lock derived from an id protects. The names are part of the keys, so those of older processes stay. */
export const lockedThings = [
  'plan of',
  'labels of',
  'slots of',
  'webhooks of',
  'composer_drafts',
  'adopt',
  'export of',
] as const;
export type LockedThing = (typeof lockedThings)[number];

/** Waits until no other transaction holds this lock, and holds it until the transaction ends. */
export const lockOf = (tx: Db, thing: LockedThing, id: string) =>
  sql`select ${lockedBy(thing, sql`${id}::text`)}`.execute(tx);

/** Like `lockOf`, without waiting. Returns false if another transaction holds the lock. */
export async function tryLockOf(tx: Db, thing: LockedThing, id: string): Promise<boolean> {
  const { rows } = await sql<{ isHeld: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${thing} ${id}`}, 0)) as "isHeld"`.execute(tx);
  return rows[0]!.isHeld;
}

export const lockedBy = (thing: LockedThing, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(hashtextextended(${sql.lit(`${thing} `)} || ${id}, 0))`;
