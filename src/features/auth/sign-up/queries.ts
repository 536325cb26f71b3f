import { sql } from 'kysely';
import type { PlanKey } from '../../../config/plans.ts';
import { advisoryLocks } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { hasPassword } from '../passwords/queries.ts';

/** The user who has this address. */
export interface EmailHolder {
  id: string;
  /** The user has no password, so no one has proven that the address is theirs. */
  isPlaceholder: boolean;
}

export async function findEmailHolder(db: Db, email: string): Promise<EmailHolder | null> {
  const { rows } = await sql<EmailHolder>`
    select id, not ${hasPassword} as "isPlaceholder" from users where email = ${email}`.execute(db);
  return rows[0] ?? null;
}

export interface ReleasedUser {
  id: string;
  name: string;
  /** Null if the user was detached. */
  owner: { id: string; email: string } | null;
}

/** Changes the address of the user without a password who has this one. Null if there is no such user. */
export async function updatePlaceholderEmail(tx: Db, email: string, newEmail: string, now: Date) {
  const { rows } = await sql<ReleasedUser>`
    update users set email = ${newEmail}, email_verified = false, updated_at = ${now}
    where email = ${email} and not ${hasPassword}
    returning id, name, (
      select json_build_object('id', owner.id, 'email', owner.email) from users owner where owner.id = users.parent_user_id
    ) as owner`.execute(tx);
  return rows[0] ?? null;
}

/** Blocks other transactions that take the same lock until this one ends. */
export async function lockFirstUser(tx: Db) {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.firstUser})`.execute(tx);
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface PendingSignUp {
  email: string;
  name: string;
  /** Null if no password was given yet. */
  passwordHash: string | null;
}

/** Stores the sign-up. Replaces the oldest one if `max` sign-ups with this address are already pending. */
export async function insertPendingSignUp(
  tx: Db,
  { tokenHash, email, name, passwordHash, expiresAt }: PendingSignUp & { tokenHash: Buffer; expiresAt: Date },
  max: number,
  now: Date,
) {
  // With concurrent sign-ups, each one counts those before it.
  await sql`select pg_advisory_xact_lock(${advisoryLocks.pendingSignUp}, hashtext(${email}))`.execute(tx);
  // Locks the rows in the same order as `takePendingSignUp`, to prevent deadlocks.
  await sql`
    with waiting as (
      select token_hash, created_at from pending_sign_ups where email = ${email} order by token_hash for update
    ),
    oldest as (select token_hash from waiting order by created_at desc, token_hash offset ${max - 1})
    delete from pending_sign_ups where token_hash in (select token_hash from oldest)`.execute(tx);
  await sql`
    insert into pending_sign_ups (token_hash, email, name, password_hash, created_at, expires_at)
    values (${tokenHash}, ${email}, ${name}, ${passwordHash}, ${now}, ${expiresAt})`.execute(tx);
}

export async function findPendingSignUp(db: Db, tokenHash: Buffer, now: Date): Promise<PendingSignUp | null> {
  const found = await db
    .selectFrom('pending_sign_ups')
    .select(['email', 'name', 'password_hash as passwordHash'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Returns the sign-up and deletes it with all others of the same address, so a token works once. Locks the rows in a
 * fixed order to prevent deadlocks. Null if there is no such token.
 */
export async function takePendingSignUp(tx: Db, tokenHash: Buffer, now: Date): Promise<PendingSignUp | null> {
  const { rows } = await sql<PendingSignUp & { isAsked: boolean }>`
    with locked as (
      select token_hash from pending_sign_ups
      where email = (select email from pending_sign_ups where token_hash = ${tokenHash} and expires_at > ${now})
      order by token_hash for update
    )
    delete from pending_sign_ups where token_hash in (select token_hash from locked)
    returning email, name, password_hash as "passwordHash", token_hash = ${tokenHash} as "isAsked"`.execute(tx);
  return rows.find(({ isAsked }) => isAsked) ?? null;
}

export interface Invitation {
  /** The id that the user will have. */
  userId: string;
  email: string;
  plan: PlanKey | null;
}

/** Replaces an earlier invitation of the same address and keeps its id. Returns the id. */
export async function upsertInvitation(
  tx: Db,
  { userId, email, plan, tokenHash, expiresAt }: Invitation & { tokenHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<string> {
  const values = { plan, token_hash: tokenHash, created_at: now, expires_at: expiresAt };
  const stored = await tx
    .insertInto('invitations')
    .values({ user_id: userId, email, ...values })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
    .returning('user_id')
    .executeTakeFirstOrThrow();
  return stored.user_id;
}

const invitationColumns = ['user_id as userId', 'email', 'plan'] as const;

export async function findInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<Invitation | null> {
  const found = await db
    .selectFrom('invitations')
    .select(invitationColumns)
    .$narrowType<{ plan: PlanKey | null }>()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found ?? null;
}

/** Returns false if the invitation was used or replaced in the meantime. */
export async function deleteInvitation(tx: Db, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('invitations').where('token_hash', '=', tokenHash).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredLinks(db: Db, now: Date) {
  for (const table of ['pending_sign_ups', 'invitations', 'password_resets', 'email_changes'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', now).execute();
  }
}
