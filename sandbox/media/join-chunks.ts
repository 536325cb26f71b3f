import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Files, StoredFile } from '../store/files.ts';

const readBytes = 1024 * 1024;

/** Joins stored chunks into one stored file. */
export async function joinChunks(files: Files, chunks: readonly StoredFile[]): Promise<StoredFile> {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const name = randomUUID();
  for (const { sha256 } of chunks) {
    for await (const part of createReadStream(files.path(sha256), { highWaterMark: readBytes })) {
      files.append(name, part);
    }
  }
  return files.finish(name);
}
