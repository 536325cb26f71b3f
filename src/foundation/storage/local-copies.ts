import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createShared } from '../lib/shared.ts';
import { removeStaleFiles } from './stale-files.ts';
import { isDiskFull, StorageError, type StoredFile, type StoredObject, storageUnavailable } from './storage.ts';

interface LocalCopy {
  path: string;
  blob: Blob;
}

/** Sending a copy to a platform takes hours at most. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/**
 * Copies of stored files on this machine's disk. A file that goes to many connections at the same time has one copy,
 * which is deleted after its last use.
 */
export function localCopies(folder: string, read: (key: string, options: { version: string }) => Promise<Readable>) {
  const inUse = new Set<string>();
  const discard = (path: string) => rm(path, { force: true }).finally(() => inUse.delete(path));
  const shared = createShared(({ path }: LocalCopy) => discard(path));

  async function make(key: string, { bytes, contentType, version }: StoredObject): Promise<LocalCopy> {
    const path = join(folder, randomUUID());
    inUse.add(path);
    try {
      await mkdir(folder, { recursive: true });
      await removeStaleFiles(folder, abandonedAfterMs, inUse);
      await requireRoom(folder, bytes);
      await write(await read(key, { version }), path);
      return { path, blob: await openAsBlob(path, { type: contentType }) };
    } catch (error) {
      await discard(path);
      if (error instanceof StorageError) throw error;
      throw isDiskFull(error) ? noRoom(error) : storageUnavailable(error as Error);
    }
  }

  return async function copyOf(key: string, found: StoredObject): Promise<StoredFile> {
    const { value, ...use } = await shared(`${key} ${found.version}`, () => make(key, found));
    return { ...use, blob: value.blob };
  };
}

/** Otherwise, a file that does not fit would fill the disk with every attempt, so that others would not fit either. */
async function requireRoom(folder: string, bytes: number) {
  const { bavail, bsize } = await statfs(folder);
  if (bytes > bavail * bsize) throw noRoom();
}

const noRoom = (cause?: unknown) => new StorageError('full', 'The disk that holds copies of media is full.', cause);

async function write(source: Readable, path: string) {
  const file = await open(path, 'wx');
  try {
    for await (const chunk of source) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
