import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { announceFile, discardFiles, keepFiles } from './queries.ts';
import { StorageError, type StoredObject } from './storage/storage.ts';

/** A file in storage that no record names yet. Disposing removes it, unless one came to. */
export interface IncomingFile extends AsyncDisposable {
  readonly key: string;
  readonly stored: StoredObject;
  /** In the transaction that makes its record. */
  keep(tx: Db): Promise<void>;
}

export interface IncomingOptions {
  contentType: string;
  maxBytes: number;
  /** If we die meanwhile it is removed then: longer than it can take to arrive. */
  orphanedAfterMs?: number;
}

/** Writes a file so that nothing of it stays if it breaks off, or if nobody comes to name it. */
export async function storeIncoming(
  { db, clock, storage }: Pick<App, 'db' | 'clock' | 'storage'>,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { contentType, maxBytes, orphanedAfterMs = 3_600_000 }: IncomingOptions,
): Promise<IncomingFile> {
  await announceFile(db, key, new Date(clock.now().getTime() + orphanedAfterMs));
  const discard = () => discardFiles(db, [key], clock.now());
  try {
    await storage.write(key, source, { contentType, maxBytes });
    const stored = await storage.stat(key);
    if (!stored) throw new StorageError('missing', 'The file is gone right after it was written.');
    return { key, stored, keep: (tx) => keep(tx, key), [Symbol.asyncDispose]: discard };
  } catch (error) {
    // What cannot be said now has been announced.
    await discard().catch(() => {});
    throw error;
  }
}

async function keep(tx: Db, key: string) {
  if (!(await keepFiles(tx, [key]))) throw new Error('A file was removed before its record was made.');
}
