import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { deleteOrphanedFiles } from './orphaned-files.ts';
import { deleteUnusedThumbnails, selectAbandoned } from './queries.ts';
import { verifyUpload } from './verify-upload.ts';

const removeFiles: Queue = { name: 'remove-unwanted-files' };
const collectOrphans: Queue = { name: 'collect-orphaned-media' };
const dayMs = 24 * 3_600_000;
const nightly = 10_000;

export async function mediaTasks(app: Pick<App, 'jobs' | 'db' | 'clock' | 'storage' | 'log'>) {
  await app.jobs.work(removeFiles, () => deleteOrphanedFiles(app));
  await app.jobs.schedule(removeFiles, '* * * * *');
  await app.jobs.work(collectOrphans, () => collectOrphanedMedia(app));
  await app.jobs.schedule(collectOrphans, '17 4 * * *');
}

/** What was begun and left: uploads that nobody completed, thumbnails and covers that were never set. */
export async function collectOrphanedMedia(app: Pick<App, 'db' | 'clock' | 'storage' | 'log'>) {
  const before = new Date(app.clock.now().getTime() - dayMs);
  // What is there is good to have; what is missed tonight is given up tomorrow.
  for (const record of await selectAbandoned(app.db, before, nightly)) {
    await verifyUpload(app, record).catch((error) =>
      app.log.error({ err: error, mediaId: record.id }, 'an abandoned upload could not be looked at'),
    );
  }
  await deleteUnusedThumbnails(app.db, before);
}
