import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { AdminError } from '../error-message.ts';

/** A backup is a folder with these files. The manifest is written last, so a folder without one is incomplete. */
export const names = {
  manifest: 'manifest.json',
  key: 'secret.key',
  files: 'files.jsonl.gz',
  table: (table: string) => `tables/${table}.jsonl.gz`,
  media: (storageKey: string) => `media/${storageKey}`,
};

const format = 1;

const Manifest = z.object({
  format: z.literal(format, 'was created by a newer version of Crier'),
  version: z.string(),
  /** The time of the snapshot. */
  takenAt: z.coerce.date(),
  /** Whether a Crier was running at that time, which may have published posts afterwards. */
  whileRunning: z.boolean(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.number(), sha256: z.string() })),
  media: z.object({
    included: z.boolean(),
    files: z.number(),
    bytes: z.number(),
    missing: z.number(),
    sha256: z.string(),
  }),
  /** The ids of the keys that seal credentials. The keys themselves are stored elsewhere. */
  keyIds: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export const currentFormat: Manifest['format'] = format;

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, names.manifest), 'utf8').catch(() => {
    throw new AdminError(`${folder} does not contain a complete backup: ${names.manifest} is missing.`);
  });
  const { data, error } = Manifest.safeParse(JSON.parse(text));
  if (!data) throw new AdminError(`The backup in ${folder} cannot be read: ${error.issues[0]?.message}.`);
  return data;
}

export const writeManifest = (folder: string, manifest: Manifest) =>
  writeFile(join(folder, names.manifest), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });

/** Writes values as JSON lines. Returns their number, and the hash of the file. */
export async function writeLines(
  file: string,
  values: AsyncIterable<unknown>,
): Promise<{ rows: number; sha256: string }> {
  let rows = 0;
  async function* lines() {
    for await (const value of values) {
      rows += 1;
      yield `${JSON.stringify(value)}\n`;
    }
  }
  const hash = hashing();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const output = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), hash.pass, output);
  return { rows, sha256: hash.result() };
}

/** Reads them back. Throws at the end if the file is not the one that was written. */
export async function* readLines<T>(file: string, schema: z.ZodType<T>, sha256: string): AsyncGenerator<T> {
  const hash = hashing();
  const unzipped = createGunzip().setEncoding('utf8');
  const reading = pipeline(createReadStream(file), hash.pass, unzipped);
  reading.catch(() => {});
  for await (const line of linesOf(unzipped)) yield schema.parse(JSON.parse(line));
  await reading;
  requireHash(file, hash.result(), sha256);
}

/** `node:readline` also ends lines at U+2028 and U+2029, which JSON can contain. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let start = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = start + lines[0];
    start = lines.pop()!;
    yield* lines;
  }
}

/** Copies a stream into a file. */
export async function writeBytes(file: string, source: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = hashing();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await pipeline(source, hash.pass, createWriteStream(file, { mode: 0o600, flush: true }));
  return { bytes: hash.bytes(), sha256: hash.result() };
}

/** The bytes of a file. Throws at the end if they are not the ones that were written. */
export async function* readBytes(file: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = hashing();
  yield* hash.pass(createReadStream(file));
  requireHash(file, hash.result(), sha256);
}

function hashing() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.byteLength;
        yield chunk;
      }
    },
    bytes: () => bytes,
    result: () => hash.digest('hex'),
  };
}

function requireHash(file: string, found: string, wanted: string) {
  if (found !== wanted) throw new AdminError(`${file} is damaged: it has changed since the backup.`);
}
