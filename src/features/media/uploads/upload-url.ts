import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isContentType } from '../../../foundation/storage/storage.ts';
import { cleanFileName, type MediaType, storageKey } from '../../../foundation/storage/storage-key.ts';
import { insertMedia } from '../../files/files.ts';
import { type Caller, changeMedia, withLockedGroup } from '../change-media.ts';

export const uploadLifetimeMs = 3_600_000;

export interface NewUpload {
  fileName: string;
  contentType: string;
  postGroupId: string;
  type?: MediaType | undefined;
  altText?: string | null;
}

/** Attaches a file to the post before it is uploaded, and returns a URL to upload it to within an hour. */
export async function createUpload(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage'>,
  who: Caller,
  { fileName, contentType, postGroupId, type = typeOf(contentType), altText = null }: NewUpload,
) {
  const now = app.clock.now();
  const [mediaId, name] = [app.newId(), cleanFileName(fileName) || 'file'];
  const key = storageKey(type, name, now, 0);
  const expiresAt = new Date(now.getTime() + uploadLifetimeMs);
  const uploadUrl = await app.storage.uploadUrl(key, { contentType, expiresAt });
  const demoted = await withLockedGroup(app, who, postGroupId, 'upload media', async (tx, group) => {
    await insertMedia(tx, {
      id: mediaId,
      userId: who.userId,
      postGroupId,
      purpose: 'post',
      type,
      mimeType: contentType,
      sourceFileName: name,
      altText,
      storageKey: key,
      status: 'uploading',
      uploadUrlExpiresAt: expiresAt,
      now,
    });
    return changeMedia(app, tx, group, [...group.mediaIds, mediaId], { changeType: 'attach', mediaFileId: mediaId });
  });
  return { mediaId, key, uploadUrl, fileUrl: app.storage.publicUrl(key), demoted };
}

export function requireContentType(contentType: string): string {
  const allowed = /^(image|video)\/./i.test(contentType) || contentType === 'application/pdf';
  if (!allowed || !isContentType(contentType)) throw new Problem('upload_type_refused');
  return contentType;
}

function typeOf(contentType: string): MediaType {
  if (contentType === 'application/pdf') return 'document';
  return /^video\//i.test(contentType) ? 'video' : 'image';
}
