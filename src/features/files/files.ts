import type { App } from '../../app.ts';
import { Problem, type ProblemKey } from '../../foundation/errors/index.ts';
import type { Who } from '../auth/access/api-key.ts';
import { shownMetadata } from './metadata.ts';
import { findMedia, type MediaRecord } from './queries.ts';
import type { MediaFile } from './schema.ts';
import { type PendingCode, verifyUpload } from './storing/verify-upload.ts';

export { type Ingested, ingestUrls, type UrlResult } from './ingestion/ingest-urls.ts';
export {
  deleteMedia,
  findMedia,
  insertMedia,
  type MediaDetails,
  type MediaRecord,
  selectMedia,
  selectStorageKeys,
  setDetails,
  setLost,
  unsharedOf,
} from './queries.ts';
export { MediaGoneError, outgoingMedia, requireStored } from './renditions/outgoing-media.ts';
export { isShrinkable } from './renditions/renditions.ts';
export { deleteFilesNow } from './storing/orphaned-files.ts';
export { requireReady } from './storing/readiness.ts';

/**
 * Verifies an uploaded file now instead of when its post is scheduled. Neither attaches the file nor demotes a post.
 */
export async function completeMedia(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'log'>,
  who: Who,
  id: string,
) {
  const record = await findMedia(app.db, who.userId, id);
  if (!record) throw new Problem('media_file_not_found');
  if (record.status === 'failed') throw new Problem('media_validation_failed', alreadyFailed(record));
  const verdict = await verifyUpload(app, record);
  if (verdict.status === 'pending') throw new Problem(pendingProblems[verdict.code]);
  if (verdict.status === 'failed')
    throw verdict.refusal ?? new Problem(problemOf(verdict.code), { error: verdict.reason });
  return { success: true as const, mediaFile: presentCompleted(app, verdict.record) };
}

/** A file in the list of a post. If the file no longer exists, everything but its id is null. */
export type ListedMedia = { id: string } & {
  [Name in 'type' | 'mimeType' | 'status' | 'sourceFileName' | 'storageKey' | 'failureReason' | 'altText']:
    | MediaRecord[Name]
    | null;
} & Pick<MediaRecord, 'shared'>;

/** A file in the format of get-post. */
export const presentMedia = (app: Pick<App, 'storage'>, file: ListedMedia): MediaFile => ({
  mediaId: file.id,
  sourceFileName: file.sourceFileName,
  fileName: file.storageKey,
  type: file.type,
  mimeType: file.mimeType,
  status: file.status ?? 'failed',
  failureReason: file.status === null ? 'The file no longer exists.' : file.failureReason,
  url: mediaUrl(app, file),
  altText: file.altText,
  shared: file.shared,
});

export const mediaUrl = ({ storage }: Pick<App, 'storage'>, { storageKey }: Pick<ListedMedia, 'storageKey'>) =>
  storageKey && storage.publicUrl(storageKey);

const presentCompleted = (app: Pick<App, 'storage'>, record: MediaRecord) => ({
  _id: record.id,
  type: record.type,
  mimeType: record.mimeType,
  fileName: record.storageKey,
  url: mediaUrl(app, record),
  status: record.status,
  altText: record.altText,
  metadata: record.metadata && shownMetadata(record.metadata),
});

const alreadyFailed = ({ failureReason }: MediaRecord) => ({
  error: `This file was rejected: ${failureReason}. Delete it and upload another.`.replace('..', '.'),
});

const pendingProblems: Record<PendingCode, ProblemKey> = {
  MEDIA_UPLOAD_PENDING: 'media_upload_pending',
  PROBE_BUSY: 'probe_busy',
  PROBE_DOWNLOAD_FAILED: 'probe_download_failed',
  PROBE_VERSION_CHANGED: 'probe_version_changed',
  PROBE_VERSION_UNVERIFIED: 'probe_version_unverified',
  MEDIA_STATE_PERSIST_FAILED: 'media_state_persist_failed',
  MEDIA_FILE_RACE: 'media_file_race',
};

function problemOf(code: string): ProblemKey {
  if (code === 'MEDIA_UPLOAD_MISSING') return 'media_upload_missing';
  if (code === 'MEDIA_FILE_INDETERMINATE_TYPE') return 'media_type_indeterminate';
  return code === 'PROBE_TIMEOUT' ? 'probe_timeout' : 'probe_failed';
}
