import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Core } from '../../../app.ts';
import {
  isServiceRunning,
  sealingKeyIdsInUse,
  withRotationLock,
} from '../../../features/connections/credentials/rotate-sealing-key.ts';
import { keepFiles } from '../../../features/files/storing/orphaned-files.ts';
import { version } from '../../../foundation/http/version.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { removeFolder, unfinishedFolder } from '../../../foundation/system/unfinished-folder.ts';
import { AdminError } from '../error-message.ts';
import { keyFileIn, readKeys, writeKeyCopy } from '../keys/key-file.ts';
import { currentFormat, type Manifest, names, readLines, writeBytes, writeLines, writeManifest } from './layout.ts';
import { type FileRecord, selectFiles, selectMigrations, selectRows, selectTables, snapshot } from './queries.ts';

export interface BackupOptions {
  /** False for a bucket that is backed up separately. */
  withMedia: boolean;
  /** Where to write the sealing keys. Null: into the backup. */
  keyFile: string | null;
}

/**
 * Writes a backup into a new folder while Crier runs. All tables are read in one snapshot, and no file that the
 * snapshot names is deleted before it is copied. The folder gets its final name once it is complete.
 */
export async function writeBackup(core: Core, folder: string, options: BackupOptions): Promise<Manifest> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 }).catch(cannotWrite(folder));
  const unfinished = await unfinishedFolder(folder).catch(cannotWrite(folder));
  try {
    const manifest = await keepFiles(core, async () => {
      // A rotation in between would seal rows with a key that is not saved.
      const { files, ...facts } = await withRotationLock(core, 'shared', async () => {
        await saveKeys(core, unfinished, options.keyFile);
        return snapshot(core.db, (tx) => writeTables(tx, core.clock.now(), unfinished));
      });
      return { ...facts, media: await writeMedia(core, unfinished, files, options.withMedia) };
    });
    await writeManifest(unfinished, manifest);
    await rename(unfinished, folder);
    return manifest;
  } catch (error) {
    await removeFolder(unfinished);
    throw error;
  }
}

async function saveKeys({ config }: Core, folder: string, keyFile: string | null) {
  // The operator is responsible for keeping SECRET_KEY.
  if (config.secretKeys.length > 0) return;
  const file = keyFile ?? join(folder, names.key);
  const keys = await readKeys(keyFileIn(config.dataDir));
  await writeKeyCopy(file, keys).catch(cannotWrite(file));
}

type ListedFiles = { sha256: string };

/** Runs in the snapshot. The list of files is written to disk, because it may be long. */
async function writeTables(
  db: Core['db'],
  takenAt: Date,
  folder: string,
): Promise<Omit<Manifest, 'media'> & { files: ListedFiles }> {
  const facts = {
    format: currentFormat,
    version,
    takenAt,
    whileRunning: await isServiceRunning({ db }),
    migrations: await selectMigrations(db),
    keyIds: await sealingKeyIdsInUse({ db }),
  };
  const tables: Manifest['tables'] = [];
  for (const name of await selectTables(db)) {
    tables.push({ name, ...(await writeLines(join(folder, names.table(name)), selectRows(db, name))) });
  }
  const files = await writeLines(listOf(folder), selectFiles(db));
  return { ...facts, tables, files };
}

/** Exists only while the backup is in progress. */
const listOf = (folder: string) => join(folder, 'wanted.jsonl.gz');

const Wanted = z.object({ key: z.string(), isNeeded: z.boolean() }) satisfies z.ZodType<FileRecord>;

export const StoredEntry = z.object({
  key: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});
export type StoredEntry = z.infer<typeof StoredEntry>;

async function writeMedia({ storage, log }: Core, folder: string, wanted: ListedFiles, included: boolean) {
  const total = { included, files: 0, bytes: 0, missing: 0 };
  async function* copied(): AsyncGenerator<StoredEntry> {
    if (!included) return;
    for await (const { key, isNeeded } of readLines(listOf(folder), Wanted, wanted.sha256)) {
      const found = await storage.stat(key);
      const stream = found && (await storage.read(key).catch(nullIfMissing));
      if (!found || !stream) {
        if (isNeeded) {
          total.missing += 1;
          log.warn({ file: key }, 'a file named in a record is missing from the storage');
        }
        continue;
      }
      const written = await writeBytes(join(folder, names.media(key)), stream);
      total.files += 1;
      total.bytes += written.bytes;
      yield { key, contentType: found.contentType, ...written };
    }
  }
  const { sha256 } = await writeLines(join(folder, names.files), copied());
  await rm(listOf(folder));
  return { ...total, sha256 };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof StorageError && error.kind === 'missing') return null;
  throw error;
}

const cannotWrite = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new AdminError(`Cannot write ${file} (${error.code}). Choose another folder or file.`);
};
