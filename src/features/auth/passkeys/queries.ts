import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface PasskeyRow {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  synced: boolean;
}

const columns = ['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'backed_up as synced'] as const;

export function selectPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('auth_passkeys')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function updatePasskeyName(db: Db, userId: string, id: string, name: string): Promise<PasskeyRow | null> {
  const renamed = await db
    .updateTable('auth_passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return renamed ?? null;
}

/** Returns false if the passkey no longer exists. */
export async function updatePasskeyUse(db: Db, userId: string, credentialId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auth_passkeys')
    .set({ last_used_at: now })
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** When the passkey was added. Null if it no longer exists. */
export async function findPasskeyTime(db: Db, userId: string, credentialId: string): Promise<Date | null> {
  const found = await db
    .selectFrom('auth_passkeys')
    .select('created_at as createdAt')
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return found?.createdAt ?? null;
}

/** Records when the passkey was added, and whether the user was in a workspace then. */
export const updateAddedPasskey = (tx: Db, userId: string, id: string, now: Date) =>
  sql`
    update auth_passkeys set created_at = ${now}, during_membership = parent_user_id is not null
    from users where users.id = user_id and user_id = ${userId} and auth_passkeys.id = ${id}`.execute(tx);

/** Deletes all of them, or only those that end with the membership. Returns their names. */
export async function deletePasskeys(tx: Db, userId: string, onlyOfMembership: boolean): Promise<string[]> {
  const all = tx.deleteFrom('auth_passkeys').where('user_id', '=', userId).returning('name');
  const deleted = await (onlyOfMembership ? all.where('during_membership', '=', true) : all).execute();
  return deleted.map(({ name }) => name);
}

/** Returns the name of the passkey, or null if there is none. */
export async function deletePasskeyById(tx: Db, userId: string, id: string): Promise<string | null> {
  const deleted = await tx
    .deleteFrom('auth_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name ?? null;
}

/** Deletes the passkey and returns whether anyone has signed in with it. */
export async function deleteUsedPasskey(tx: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('auth_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('last_used_at as lastUsedAt')
    .executeTakeFirst();
  return Boolean(deleted?.lastUsedAt);
}
