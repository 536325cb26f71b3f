import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Files, StoredFile } from './store/files.ts';

const pieceBytes = 1024 * 1024;

/** One file from the chunks in which it came, each of them stored. */
export async function joinChunks(files: Files, chunks: readonly StoredFile[]): Promise<StoredFile> {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const name = randomUUID();
  for (const { sha256 } of chunks) {
    for await (const piece of createReadStream(files.path(sha256), { highWaterMark: pieceBytes })) {
      files.append(name, piece);
    }
  }
  return files.finish(name);
}
