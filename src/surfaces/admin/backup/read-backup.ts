import { join } from 'node:path';
import { z } from 'zod';
import type { Core } from '../../../app.ts';
import { postponeRestoredDeletions } from '../../../features/account-data/restored-deletions.ts';
import {
  type HeldBack,
  type HoldScope,
  holdRestoredPosts,
} from '../../../features/publishing/maintenance/hold-restored.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { liftIdleLimit } from '../../../foundation/db/database.ts';
import { migrate } from '../../../foundation/db/migrate.ts';
import { type Manifest, names, readBytes, readLines } from './layout.ts';
import { continueSequences, insertRows, setTriggers, updateObjectVersion } from './queries.ts';
import { StoredEntry } from './write-backup.ts';

const rowsAtOnce = 200;
/** The texts of a few long posts would otherwise fill the memory. */
const charactersAtOnce = 1_000_000;

export interface Restored extends HeldBack {
  /** Accounts that were about to be deleted, and whose users can decide once more. */
  deletions: number;
}

/**
 * Fills an empty database and the storage. The database is filled in one transaction, which commits last: an
 * interrupted restore leaves an empty database, and can be rerun.
 */
export async function readBackup(
  core: Core,
  databaseUrl: string,
  folder: string,
  manifest: Manifest,
  hold: HoldScope,
): Promise<Restored> {
  // The rows match the tables of that version. Newer migrations then change both.
  await migrate(databaseUrl, { only: manifest.migrations });
  const restored = await core.db.transaction().execute(async (tx) => {
    const tables = manifest.tables.map(({ name }) => name);
    // The transaction is idle while files are read and copied.
    await liftIdleLimit(tx);
    await setTriggers(tx, tables, 'disable');
    for (const { name, sha256 } of manifest.tables) await restoreTable(tx, folder, name, sha256);
    await continueSequences(tx);
    await setTriggers(tx, tables, 'enable');
    await restoreMedia(core, tx, folder, manifest);
    const heldBack = await holdRestoredPosts(core, tx, manifest.takenAt, hold);
    return { ...heldBack, deletions: await postponeDeletions(core, tx, manifest, hold) };
  });
  await migrate(databaseUrl);
  return restored;
}

/** If Crier was stopped before the backup, no one can have kept an account since then. */
async function postponeDeletions(core: Core, tx: Db, { takenAt, migrations }: Manifest, hold: HoldScope) {
  const areKnown = migrations.some((name) => name.startsWith('0067-'));
  return areKnown && hold !== 'none' ? postponeRestoredDeletions(core, tx, takenAt) : 0;
}

async function restoreTable(tx: Db, folder: string, table: string, sha256: string) {
  let batch: string[] = [];
  let characters = 0;
  for await (const row of readLines(join(folder, names.table(table)), z.string(), sha256)) {
    batch.push(row);
    characters += row.length;
    if (batch.length < rowsAtOnce && characters < charactersAtOnce) continue;
    await insertRows(tx, table, batch);
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) await insertRows(tx, table, batch);
}

/** Without media in the backup, the files are still in the storage, in the versions that the rows name. */
async function restoreMedia({ storage }: Core, tx: Db, folder: string, { media }: Manifest) {
  for await (const { key, contentType, bytes, sha256 } of readLines(
    join(folder, names.files),
    StoredEntry,
    media.sha256,
  )) {
    await storage.write(key, readBytes(join(folder, names.media(key)), sha256), { contentType, maxBytes: bytes });
    const stored = await storage.stat(key);
    if (stored) await updateObjectVersion(tx, key, stored.version);
  }
}
