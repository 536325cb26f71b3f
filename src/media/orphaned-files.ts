import type { App } from '../app.ts';
import { lockOrphanedFiles, recordDeletion } from './queries.ts';

const batch = 100;

/** Removes files that no record refers to. If the storage fails, the next run tries again. */
export async function deleteOrphanedFiles({ db, clock, storage }: Pick<App, 'db' | 'clock' | 'storage'>) {
  let found = batch;
  while (found === batch) {
    found = await db.transaction().execute(async (tx) => {
      const now = clock.now();
      const files = await lockOrphanedFiles(tx, now, batch);
      await storage.remove(files.map(({ key }) => key));
      await recordDeletion(tx, files, now);
      return files.length;
    });
  }
}
