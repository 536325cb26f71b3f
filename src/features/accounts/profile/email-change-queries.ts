import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface EmailChange {
  userId: string;
  /** The address that the user has now. */
  email: string;
  newEmail: string;
}

interface NewEmailChange {
  tokenHash: Buffer;
  userId: string;
  /** The link ends with it. */
  sessionId: string;
  newEmail: string;
  expiresAt: Date;
}

/** Stores nothing if so many links of the user already wait. False: nothing was stored. Exact only under `lockUser`. */
export async function insertEmailChange(
  tx: Db,
  { tokenHash, userId, sessionId, newEmail, expiresAt }: NewEmailChange,
  max: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into email_changes (token_hash, user_id, session_id, new_email, created_at, expires_at)
    select ${tokenHash}, ${userId}, ${sessionId}, ${newEmail}, ${now}::timestamptz, ${expiresAt}::timestamptz
    where (select count(*) from email_changes where user_id = ${userId} and expires_at > ${now}) < ${max}
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Null: there is no such token, it has expired, or the user is no longer active. */
export async function findEmailChange(db: Db, tokenHash: Buffer, now: Date): Promise<EmailChange | null> {
  const found = await db
    .selectFrom('email_changes as change')
    .innerJoin('users', 'users.id', 'change.user_id')
    .select(['users.id as userId', 'users.email', 'change.new_email as newEmail'])
    .where('change.token_hash', '=', tokenHash)
    .where('change.expires_at', '>', now)
    .where('users.is_active', '=', true)
    .executeTakeFirst();
  return found ?? null;
}

/** Deletes all links of the user. False: the one with this token was not among them. */
export async function deleteEmailChanges(tx: Db, userId: string, tokenHash: Buffer): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .returning('token_hash as tokenHash')
    .execute();
  return deleted.some((one) => one.tokenHash.equals(tokenHash));
}

export const updateEmail = (tx: Db, userId: string, email: string, now: Date) =>
  tx.updateTable('users').set({ email, email_verified: true, updated_at: now }).where('id', '=', userId).execute();
