import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { clearWrongCodes } from '../two-factor/queries.ts';

/**
 * Whether this row of `users` has a password. A user without one was created by the owner of a workspace, who typed
 * its address. No one has proven that the address is theirs, not even after a detach.
 */
export const hasPassword = sql<boolean>`exists (
  select from auth_accounts where user_id = users.id and password is not null
)`;

export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const account = await db
    .selectFrom('auth_accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return account?.password ?? null;
}

/** Like `findPasswordHash`, by email address. */
export async function findPasswordHashOf(db: Db, email: string): Promise<string | null> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return user ? findPasswordHash(db, user.id) : null;
}

/** Must run under `lockUser`, because a user has one password. */
export async function updatePassword(
  tx: Db,
  userId: string,
  { passwordHash, accountId }: { passwordHash: string; accountId: string },
  now: Date,
) {
  await sql`
    with changed as (
      update auth_accounts set password = ${passwordHash}, updated_at = ${now}
      where user_id = ${userId} and provider_id = 'credential'
      returning id
    )
    insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${accountId}, ${userId}, ${userId}, 'credential', ${passwordHash}, ${now}::timestamptz, ${now}::timestamptz
    where not exists (select from changed)`.execute(tx);
}

/**
 * Deletes everything that someone who knew the old password may have begun and could finish without the new one, and
 * the wrong codes entered after it. Password reset links are deleted by `deletePasswordResets`.
 */
export async function deleteBegun(tx: Db, userId: string) {
  for (const table of ['email_changes', 'sign_in_challenges', 'attach_tokens', 'account_choices'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  // An unconfirmed secret: its first code alone would enable it.
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute();
  await clearWrongCodes(tx, userId);
  // Flows started from a connection link belong to its holder, who has no password.
  await tx.deleteFrom('oauth_flows').where('user_id', '=', userId).where('link_hash', 'is', null).execute();
  // A used code is kept, because its second use ends everything issued for the first.
  await tx.deleteFrom('oauth_codes').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}

/** Deletes all password reset links. Returns false if the one with this token was not among them. */
export async function deletePasswordResets(tx: Db, userId: string, tokenHash: Buffer | null = null): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('password_resets')
    .where('user_id', '=', userId)
    .returning('token_hash as tokenHash')
    .execute();
  return tokenHash !== null && deleted.some((one) => one.tokenHash.equals(tokenHash));
}
