import type { Db } from '../../../foundation/db/database.ts';

export interface EmailChange {
  userId: string;
  /** The user's current address. */
  email: string;
  newEmail: string;
}

interface NewEmailChange {
  tokenHash: Buffer;
  userId: string;
  /** The link ends with this session. */
  sessionId: string;
  newEmail: string;
  expiresAt: Date;
}

export const insertEmailChange = (
  tx: Db,
  { tokenHash, userId, sessionId, newEmail, expiresAt }: NewEmailChange,
  now: Date,
) =>
  tx
    .insertInto('email_changes')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      session_id: sessionId,
      new_email: newEmail,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();

/** Null if the token does not exist or has expired, or if the user is no longer active, or is on hold. */
export async function findEmailChange(db: Db, tokenHash: Buffer, now: Date): Promise<EmailChange | null> {
  const found = await db
    .selectFrom('email_changes as change')
    .innerJoin('users', 'users.id', 'change.user_id')
    .select(['users.id as userId', 'users.email', 'change.new_email as newEmail'])
    .where('change.token_hash', '=', tokenHash)
    .where('change.expires_at', '>', now)
    .where('users.is_active', '=', true)
    .where((where) => where.or([where('users.held_at', 'is', null), where('users.hold_expires_at', '<=', now)]))
    .executeTakeFirst();
  return found ?? null;
}

/** Deletes all links of the user. Returns false if the one with this token was not among them. */
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
