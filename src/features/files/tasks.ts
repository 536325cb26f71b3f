import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily, everyMinute, hourly } from '../../foundation/periodic/schedule.ts';
import { deleteUnusedLibraryFiles, deleteUnusedThumbnails, selectAbandoned } from './queries.ts';
import { deleteOrphanedFiles } from './storing/orphaned-files.ts';
import type { FilesApp } from './storing/verify-upload.ts';
import { verifyUpload } from './storing/verify-upload.ts';

const dayMs = 24 * 3_600_000;
const uploadsPerRun = 10_000;

export const mediaTasks = (app: FilesApp): PeriodicTask[] => [
  { name: 'delete-orphaned-files', schedule: everyMinute, run: () => deleteOrphanedFiles(app) },
  { name: 'remove-abandoned-uploads', schedule: hourly(43), run: () => removeAbandonedUploads(app) },
  { name: 'collect-orphaned-media', schedule: daily('04:17'), run: () => collectOrphanedMedia(app) },
];

/** Handles uploads that were never completed, and files that no post uses and no library shows. */
export async function collectOrphanedMedia(app: FilesApp) {
  const before = new Date(app.clock.now().getTime() - dayMs);
  // If the file is there, the upload is completed. If it is missing now and tomorrow, the upload fails.
  for (const record of await selectAbandoned(app.db, before, uploadsPerRun)) {
    await verifyUpload(app, record).catch((error) =>
      app.log.error({ err: error, mediaId: record.id }, 'an abandoned upload could not be verified'),
    );
  }
  await deleteUnusedThumbnails(app.db, before);
  await deleteUnusedLibraryFiles(app.db);
}

/** Removes partial files that a process was receiving when it was killed. */
export async function removeAbandonedUploads({ storage, log }: FilesApp) {
  const removed = await storage.removeAbandoned();
  if (removed > 0) log.info({ removed }, 'removed leftovers of interrupted uploads');
}
