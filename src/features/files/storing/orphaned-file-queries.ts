import { sql } from 'kysely';
import { advisoryLocks } from '../../../foundation/db/advisory-locks.ts';
import { anyOf } from '../../../foundation/db/any-of.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { liftIdleLimit } from '../../../foundation/db/database.ts';

/** Room that a file takes in the quota of its user before it has a record. */
export interface Reservation {
  userId: string;
  bytes: number;
}

/**
 * Announces a file that is about to be written. If no record refers to it, it is deleted after this time. It counts as
 * reserved until it has a record or was deleted.
 */
export async function insertStagedFile(db: Db, key: string, deleteAfter: Date, reserved?: Reservation) {
  const reservation = reserved && { reserved_for: reserved.userId, reserved_bytes: reserved.bytes };
  await db
    .insertInto('orphaned_files')
    .values({ storage_key: key, delete_after: deleteAfter, ...reservation })
    .execute();
}

/**
 * Call it in the transaction that inserts the records. Returns false if a file took too long and was already deleted.
 */
export async function commitStagedFiles(tx: Db, keys: readonly string[]): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('orphaned_files')
    .where('storage_key', '=', anyOf(keys))
    .executeTakeFirst();
  return numDeletedRows === BigInt(keys.length);
}

/** For announced files that are no longer needed. */
export async function discardStagedFiles(db: Db, keys: readonly string[], now: Date) {
  if (keys.length === 0) return;
  await db.updateTable('orphaned_files').set({ delete_after: now }).where('storage_key', '=', anyOf(keys)).execute();
}

/** Waits for running deletions, and blocks new ones until this transaction ends. */
export async function lockFileDeletion(tx: Db) {
  // The transaction is idle while files are copied.
  await liftIdleLimit(tx);
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.fileDeletion)})`.execute(tx);
}

/** Returns false while a backup copies the files. Blocks new backups until this transaction ends. */
export async function mayDeleteFiles(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(advisoryLocks.fileDeletion)}) as may`.execute(tx);
  return rows[0]!.may;
}

export interface OrphanedFile {
  key: string;
  deleteAgainAt: Date | null;
}

/** Locks the rows until the transaction ends, so that two workers do not delete the same files. */
export function lockOrphanedFiles(tx: Db, now: Date, limit: number): Promise<OrphanedFile[]> {
  return tx
    .selectFrom('orphaned_files')
    .select(['storage_key as key', 'delete_again_at as deleteAgainAt'])
    .where('delete_after', '<=', now)
    .orderBy('delete_after')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Does the same for these files, if they are orphaned. */
export function lockOrphans(tx: Db, keys: readonly string[]): Promise<OrphanedFile[]> {
  return tx
    .selectFrom('orphaned_files')
    .select(['storage_key as key', 'delete_again_at as deleteAgainAt'])
    .where('storage_key', '=', anyOf(keys))
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Removes deleted files from the list, except those that must be deleted a second time. */
export async function recordDeletion(tx: Db, files: readonly OrphanedFile[], now: Date) {
  const isDone = ({ deleteAgainAt }: OrphanedFile) => deleteAgainAt === null || deleteAgainAt <= now;
  const done = files.filter(isDone).map(({ key }) => key);
  const later = files.filter((file) => !isDone(file)).map(({ key }) => key);
  await tx.deleteFrom('orphaned_files').where('storage_key', '=', anyOf(done)).execute();
  await tx
    .updateTable('orphaned_files')
    .set(({ ref }) => ({ delete_after: ref('delete_again_at').$notNull(), delete_again_at: null }))
    .where('storage_key', '=', anyOf(later))
    .execute();
}
