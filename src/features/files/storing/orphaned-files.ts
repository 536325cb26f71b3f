import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import {
  lockFileDeletion,
  lockOrphanedFiles,
  lockOrphans,
  mayDeleteFiles,
  recordDeletion,
} from './orphaned-file-queries.ts';

const batch = 100;

/** Removes files that no record refers to. If the storage fails or a backup is running, a later run removes them. */
export async function deleteOrphanedFiles({ db, clock, storage }: Pick<App, 'db' | 'clock' | 'storage'>) {
  let found = batch;
  while (found === batch) {
    found = await db.transaction().execute(async (tx) => {
      if (!(await mayDeleteFiles(tx))) return 0;
      const now = clock.now();
      const files = await lockOrphanedFiles(tx, now, batch);
      await storage.remove(files.map(({ key }) => key));
      await recordDeletion(tx, files, now);
      return files.length;
    });
  }
}

/** Each holds a database connection while the storage deletes files, which can be slow. */
const deletions = createFairTurns({ places: 2, perOwner: 2 });
const maxWaiting = 20;

/** The longest time that a delete request waits for slow storage. */
const patienceMs = 3_000;

/**
 * Removes the files of records that were just deleted, instead of waiting for the next run. A failure is logged and
 * does not fail the request (contract.md#delete-post.files): the next run retries.
 */
export async function deleteFilesNow(
  { db, clock, storage, log }: Pick<App, 'db' | 'clock' | 'storage' | 'log'>,
  keys: readonly string[],
) {
  if (keys.length === 0 || deletions.waiting('all') >= maxWaiting) return;
  const remove = async (tx: Db) => {
    if (!(await mayDeleteFiles(tx))) return;
    const files = await lockOrphans(tx, keys);
    await storage.remove(files.map(({ key }) => key));
    await recordDeletion(tx, files, clock.now());
  };
  const inTurn = async () => {
    using _turn = await deletions.acquire('all');
    await db.transaction().execute(remove);
  };
  const work = inTurn().catch((error) =>
    log.warn({ err: error, files: keys.length }, 'deleted files are still in the storage'),
  );
  await Promise.race([work, sleep(patienceMs, undefined, { ref: false })]);
}

/**
 * While `work` runs, no process deletes a file of a record from storage. Pending deletions wait until afterwards.
 * Deletions in progress finish first.
 */
export async function keepFiles<T>({ db }: Pick<App, 'db'>, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockFileDeletion(tx);
    return work();
  });
}
