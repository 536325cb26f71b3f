import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { StorageError, type StoredObject } from '../../../foundation/storage/storage.ts';
import { withinQuotas } from '../../users/within-quotas.ts';
import { commitStagedFiles, discardStagedFiles, insertStagedFile, type Reservation } from './orphaned-file-queries.ts';

/** A file in storage that no record refers to yet. Disposing removes it unless it was committed. */
export interface StagedFile extends AsyncDisposable {
  readonly key: string;
  readonly stored: StoredObject;
  /** Call it in the transaction that inserts its record. */
  commit(tx: Db): Promise<void>;
}

export interface StageOptions {
  contentType: string;
  maxBytes: number;
  /** When the file is removed if the process ends before committing it. Longer than any upload takes. */
  orphanAfterMs?: number;
  /** Counts towards a quota while the file is received. Throws if it exceeds the quota. */
  reserved?: Reservation;
}

/** Writes a file that is removed again if the upload fails or no record refers to it. */
export async function stageFile(
  { db, clock, storage }: Pick<App, 'db' | 'clock' | 'storage'>,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { contentType, maxBytes, orphanAfterMs = 3_600_000, reserved }: StageOptions,
): Promise<StagedFile> {
  const announce = (tx: Db) => insertStagedFile(tx, key, new Date(clock.now().getTime() + orphanAfterMs), reserved);
  await (reserved ? withinQuotas(db, reserved.userId, announce) : announce(db));
  const discard = () => discardStagedFiles(db, [key], clock.now());
  try {
    await storage.write(key, source, { contentType, maxBytes });
    const stored = await storage.stat(key);
    if (!stored) throw new StorageError('missing', 'The file disappeared right after it was written.');
    return { key, stored, commit: (tx) => commit(tx, key), [Symbol.asyncDispose]: discard };
  } catch (error) {
    // If this fails, the file is removed after `orphanAfterMs`.
    await discard().catch(() => {});
    throw error;
  }
}

async function commit(tx: Db, key: string) {
  if (!(await commitStagedFiles(tx, [key]))) throw new Error('A file was removed before its record was stored.');
}
