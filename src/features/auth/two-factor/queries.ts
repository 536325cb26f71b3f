import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** Stores an unconfirmed secret, replacing an earlier one. Returns false if two-factor sign-in is already on. */
export async function upsertSecret(db: Db, userId: string, secret: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into two_factors (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
      where two_factors.confirmed_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Locks the row until the transaction ends, so that one of two concurrent uses of the same code is rejected. */
export function lockTwoFactor(tx: Db, userId: string) {
  return tx
    .selectFrom('two_factors')
    .select([
      'secret',
      'created_at as createdAt',
      'confirmed_at as confirmedAt',
      'codes_refused_until as codesRefusedUntil',
    ])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export const confirmSecret = (tx: Db, userId: string, now: Date) =>
  tx.updateTable('two_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute();

/** Returns false if a code of this step or a later one was already accepted. */
export async function claimStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where((where) => where.or([where('last_used_step', 'is', null), where('last_used_step', '<', `${step}`)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the number of wrong codes, including this one. */
export async function addWrongCode(tx: Db, userId: string): Promise<number> {
  const counted = await tx
    .updateTable('two_factors')
    .set((set) => ({ wrong_codes: set('wrong_codes', '+', 1) }))
    .where('user_id', '=', userId)
    .returning('wrong_codes as wrongCodes')
    .executeTakeFirstOrThrow();
  return counted.wrongCodes;
}

export const updateCodesRefused = (tx: Db, userId: string, until: Date) =>
  tx.updateTable('two_factors').set({ codes_refused_until: until }).where('user_id', '=', userId).execute();

export const clearWrongCodes = (tx: Db, userId: string) =>
  tx
    .updateTable('two_factors')
    .set({ wrong_codes: 0, codes_refused_until: null })
    .where('user_id', '=', userId)
    .where('wrong_codes', '>', 0)
    .execute();

/** Returns false if two-factor sign-in was off. */
export async function deleteTwoFactor(tx: Db, userId: string): Promise<boolean> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
  const deleted = await tx
    .deleteFrom('two_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at as confirmedAt')
    .executeTakeFirst();
  return Boolean(deleted?.confirmedAt);
}

export async function replaceCodes(tx: Db, userId: string, hashes: readonly Buffer[]) {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Returns false if the code does not exist or was already used. */
export async function deleteCode(tx: Db, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores a sign-in that still needs its code, and deletes expired ones. */
export async function insertChallenge(db: Db, tokenHash: Buffer, userId: string, now: Date, expiresAt: Date) {
  await sql`
    with expired as (delete from sign_in_challenges where expires_at <= ${now})
    insert into sign_in_challenges (token_hash, user_id, expires_at)
    values (${tokenHash}, ${userId}, ${expiresAt})`.execute(db);
}

/**
 * Counts a try before it is made, so that concurrent tries cannot exceed the limit. Returns the user who is signing
 * in. Null if the challenge does not exist, has expired, or has no tries left.
 */
export async function claimTry(db: Db, tokenHash: Buffer, maxTries: number, now: Date) {
  const { rows } = await sql<{ userId: string; email: string }>`
    update sign_in_challenges set tries = tries + 1
    from users
    where users.id = sign_in_challenges.user_id and token_hash = ${tokenHash} and expires_at > ${now} and tries < ${maxTries}
    returning users.id as "userId", users.email`.execute(db);
  return rows[0] ?? null;
}

/** Returns false if another request has finished this sign-in. */
export async function deleteChallenge(tx: Db, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
