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

/** Returns the names of the passkeys. */
export async function deletePasskeys(tx: Db, userId: string): Promise<string[]> {
  const deleted = await tx.deleteFrom('auth_passkeys').where('user_id', '=', userId).returning('name').execute();
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
