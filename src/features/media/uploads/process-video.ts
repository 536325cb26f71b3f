import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';
import { slowClientLimits } from '../../../foundation/http/requests/slow-clients.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { cleanFileName, storageKey } from '../../../foundation/storage/storage-key.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { requireStillAllowed } from '../../auth/api-keys/live-credential.ts';
import { deleteFilesNow, findMedia, insertMedia } from '../../files/files.ts';
import { headBytes, peekStream, typeOfHead } from '../../files/ingestion/peek-stream.ts';
import { type FileType, InspectionError } from '../../files/inspection/inspection.ts';
import { type StagedFile, stageFile } from '../../files/storing/staged-file.ts';
import type { FilesApp } from '../../files/storing/verify-upload.ts';
import { type UploadVerdict, verifyUpload } from '../../files/storing/verify-upload.ts';
import { storageRoom } from '../../users/within-quotas.ts';
import { changeMedia, withLockedGroup } from '../change-media.ts';
import type { FormFile } from './multipart.ts';

/** A slower upload is aborted. */
const longestUploadMs = (mediaLimits.videoBytes / slowClientLimits.transferBytesPerSecond) * 1000;
const formats = new Set(['mp4', 'mov', 'avi', 'mkv', 'webm']);

/** A video in storage that does not belong to a post yet. */
export interface StagedVideo extends StagedFile {
  readonly name: string;
  readonly mimeType: string;
}

/**
 * Streams a video of at most this size into storage. It counts towards the quota from its first byte. Null for the empty
 * file of a form in which none was chosen.
 */
export async function storeVideo(
  app: Pick<App, 'db' | 'clock' | 'storage' | 'log'>,
  { userId }: { userId: string },
  { name, bytes }: FormFile,
  { maxBytes, announced }: { maxBytes: number; announced: number | null },
): Promise<StagedVideo | null> {
  const { head, whole } = await peekStream(bytes, headBytes);
  if (head.length === 0 && name === '') return null;
  const { mimeType, format } = await videoTypeOf(head);
  const cleanName = cleanFileName(name) || `video.${format}`;
  const key = storageKey('video', cleanName, app.clock.now(), 0);
  const orphanAfterMs = 2 * longestUploadMs;
  const room = await storageRoom(app.db, userId);
  const limit = Math.min(maxBytes, room.bytes);
  const reserved = { userId, bytes: Math.min(limit, announced ?? limit) };
  const deleteNow = () => deleteFilesNow(app, [key]);
  const options = { contentType: mimeType, maxBytes: limit, orphanAfterMs, reserved };
  const file = await stageFile(app, key, whole, options).catch(async (error) => {
    await deleteNow();
    const isRefused = error instanceof StorageError && error.kind === 'too_large' && limit < maxBytes;
    throw isRefused ? room.refusal(limit + 1) : error;
  });
  const discard = () => file[Symbol.asyncDispose]().then(deleteNow);
  return { ...file, name: cleanName, mimeType, [Symbol.asyncDispose]: discard };
}

async function videoTypeOf(head: Uint8Array): Promise<FileType> {
  const type = await typeOfHead(head).catch((error) => {
    throw error instanceof InspectionError ? new Problem('video_format_refused') : error;
  });
  if (!formats.has(type.format)) throw new Problem('video_format_refused');
  return type;
}

/** Appends the video to the files of the post. A scheduled post becomes a draft, with an event. */
export async function attachVideo(app: FilesApp, who: Who, postGroupId: string, video: StagedVideo) {
  const [mediaId, now] = [app.newId(), app.clock.now()];
  const demoted = await withLockedGroup(app, who, postGroupId, 'upload media', async (tx, group) => {
    await requireStillAllowed(app, tx, who);
    await video.commit(tx);
    await insertMedia(tx, {
      id: mediaId,
      userId: who.userId,
      postGroupId,
      purpose: 'post',
      type: 'video',
      mimeType: video.mimeType,
      sourceFileName: video.name,
      storageKey: video.key,
      status: 'uploading',
      uploadUrlExpiresAt: now,
      bytes: video.stored.bytes,
      now,
    });
    return changeMedia(app, tx, group, [...group.mediaIds, mediaId], { changeType: 'attach', mediaFileId: mediaId });
  });
  return { mediaId, url: app.storage.publicUrl(video.key), demoted };
}

const maxAttempts = 3;

/**
 * Inspects the video. Null if its record was deleted. A video that cannot be inspected now stays `uploading` and is
 * inspected when its post is scheduled.
 */
export async function inspectVideo(
  app: FilesApp,
  who: { userId: string },
  mediaId: string,
): Promise<UploadVerdict | null> {
  for (let attempt = 1; ; attempt += 1) {
    const record = await findMedia(app.db, who.userId, mediaId);
    const verdict = record && (await verifyUpload(app, record));
    if (verdict?.status !== 'pending' || attempt === maxAttempts) return verdict;
  }
}
