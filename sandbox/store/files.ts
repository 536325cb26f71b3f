import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface StoredFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** Uploaded files, named after their SHA-256, so that the same upload a thousand times is stored once. */
export function createFiles(folder: string) {
  mkdirSync(folder, { recursive: true });
  const pathOf = (sha256: string) => join(folder, sha256);
  const partPath = (name: string) => join(folder, `part-${name.replace(/[^\w-]/g, '_')}`);

  async function finish(name: string): Promise<StoredFile> {
    const part = partPath(name);
    if (!existsSync(part)) writeFileSync(part, '');
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(part)) hash.update(chunk);
    const sha256 = hash.digest('hex');
    const bytes = statSync(part).size;
    renameSync(part, pathOf(sha256));
    return { sha256, bytes };
  }

  return {
    path: pathOf,
    save(bytes: Uint8Array): StoredFile {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (!existsSync(pathOf(sha256))) {
        const part = partPath(randomUUID());
        writeFileSync(part, bytes);
        renameSync(part, pathOf(sha256));
      }
      return { sha256, bytes: bytes.length };
    },
    async saveStream(stream: Readable): Promise<StoredFile> {
      const name = randomUUID();
      try {
        await pipeline(stream, createWriteStream(partPath(name)));
      } catch (error) {
        rmSync(partPath(name), { force: true });
        throw error;
      }
      return finish(name);
    },
    /** For chunked uploads: append under any name, then call `finish`. Returns the size so far. */
    append(name: string, bytes: Uint8Array): number {
      appendFileSync(partPath(name), bytes);
      return statSync(partPath(name)).size;
    },
    finish,
    /** The first bytes, which identify the type. */
    async head(sha256: string, bytes = 65_536): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for await (const chunk of createReadStream(pathOf(sha256), { end: bytes - 1 })) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    remove(sha256: string): void {
      rmSync(pathOf(sha256), { force: true });
    },
    clear(): void {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
