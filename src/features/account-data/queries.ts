import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { lockUsers, lockWithAllManaged } from '../accounts/workspace/queries.ts';
import { hasPassword } from '../auth/passwords/queries.ts';

/** Managed users without a password, who belong to their owner alone: no one else can sign in as them. */
export async function selectBrands(db: Db, ownerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where parent_user_id = ${ownerId} and not ${hasPassword} order by created_at, id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Managed users who can sign in themselves. */
export async function selectMembers(db: Db, ownerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where parent_user_id = ${ownerId} and ${hasPassword} order by created_at, id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether anyone else can sign in and is going to stay. */
export async function hasOtherPeople(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id <> ${userId} and is_active and deletion_at is null and ${hasPassword} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Returns false if the deletion has been requested already. */
export async function startDeletion(tx: Db, userId: string, deletionAt: Date, now: Date): Promise<boolean> {
  const started = await tx
    .updateTable('users')
    .set({ deletion_at: deletionAt, updated_at: now })
    .where('id', '=', userId)
    .where('deletion_at', 'is', null)
    .executeTakeFirst();
  return started.numUpdatedRows > 0n;
}

export interface Leaving {
  deletionAt: Date | null;
  ownerId: string | null;
}

export async function findLeaving(tx: Db, userId: string): Promise<Leaving | null> {
  const user = tx.selectFrom('users').select(['deletion_at as deletionAt', 'parent_user_id as ownerId']);
  return (await user.where('id', '=', userId).executeTakeFirst()) ?? null;
}

/** Returns false if the time has come: the account is being erased, or will be in a moment. */
export async function cancelDeletion(tx: Db, userId: string, now: Date): Promise<boolean> {
  const kept = await tx
    .updateTable('users')
    .set({ deletion_at: null, updated_at: now })
    .where('id', '=', userId)
    .where('deletion_at', '>', now)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return kept.numUpdatedRows > 0n;
}

/** Those whose erasure has begun stay as they are: no one can act for them any more. */
export const restartDeletions = (tx: Db, deletionAt: Date, now: Date): Promise<{ id: string; email: string }[]> =>
  tx
    .updateTable('users')
    .set({ deletion_at: deletionAt, updated_at: now })
    .where('deletion_at', 'is not', null)
    .where('is_active', '=', true)
    .returning(['id', 'email'])
    .execute();

const maxAtATime = 100;

export const isNotHeld = (now: Date) => sql<boolean>`(users.held_at is null or users.hold_expires_at <= ${now})`;

/** Nor any of its brands. */
const isNotHeldWithBrands = (now: Date) => sql<boolean>`(
  ${isNotHeld(now)} and not exists (
    select from users brand
    where brand.parent_user_id = users.id and brand.held_at is not null
      and (brand.hold_expires_at is null or brand.hold_expires_at > ${now})
      and not exists (select from auth_accounts where user_id = brand.id and password is not null)
  )
)`;

/** Accounts whose time has come. Those on hold wait until the hold ends, and those with a brand on hold, too. */
export async function selectDue(db: Db, now: Date): Promise<string[]> {
  const due = await db
    .selectFrom('users')
    .select('id')
    .where('deletion_at', '<=', now)
    .where(isNotHeldWithBrands(now))
    .orderBy('deletion_at')
    .limit(maxAtATime)
    .execute();
  return due.map(({ id }) => id);
}

/**
 * The last moment at which the account could be kept: from now on, no one can act as the user. Null if the user has
 * kept it, or if it is erased already.
 */
export const closeDue = (db: Db, userId: string, now: Date): Promise<{ id: string } | null> =>
  db.transaction().execute(async (tx) => {
    // A hold on a brand comes before this or after it. It cannot come in between, when it would be missed.
    await lockWithAllManaged(tx, userId);
    const closed = await tx
      .updateTable('users')
      .set({ is_active: false, updated_at: now })
      .where('id', '=', userId)
      .where('deletion_at', '<=', now)
      .where(isNotHeldWithBrands(now))
      .returning('id')
      .executeTakeFirst();
    return closed ?? null;
  });

/**
 * The last moment at which the brand could be spared. Null if it has got a password, has left the workspace, or is on
 * hold, which may be hours after the owner's account was closed.
 */
export const closeBrand = (db: Db, ownerId: string, brandId: string, now: Date): Promise<{ id: string } | null> =>
  db.transaction().execute(async (tx) => {
    // A statement sees the password of a transaction that it had to wait for only if it begins after the wait.
    await lockUsers(tx, [brandId]);
    const closed = await tx
      .updateTable('users')
      .set({ is_active: false, updated_at: now })
      .where('id', '=', brandId)
      .where('parent_user_id', '=', ownerId)
      .where(sql<boolean>`not ${hasPassword}`)
      .where(isNotHeld(now))
      .returning('id')
      .executeTakeFirst();
    return closed ?? null;
  });
