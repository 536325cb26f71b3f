import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isContentType } from '../../../foundation/storage/storage.ts';
import { cleanFileName, type MediaType, storageKey } from '../../../foundation/storage/storage-key.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { inLiveTurn } from '../../auth/api-keys/live-credential.ts';
import { insertMedia } from '../../files/files.ts';
import { withinQuotas } from '../../users/within-quotas.ts';
import { changeMedia, withLockedGroup } from '../change-media.ts';
import { isLibraryFull } from '../library/queries.ts';

export const uploadLifetimeMs = 3_600_000;

export interface NewUpload {
  fileName: string;
  contentType: string;
  type?: MediaType | undefined;
  altText?: string | null;
  shared?: boolean;
  labels?: readonly string[] | undefined;
}

/** Attaches a file to the post before it is uploaded, and returns a URL to upload it to within an hour. */
export async function createUpload(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage'>,
  who: Who,
  { postGroupId, ...upload }: NewUpload & { postGroupId: string },
) {
  const { media, uploadUrl } = await newUpload(app, who, upload);
  const { id: mediaId, storageKey: key } = media;
  const demoted = await withLockedGroup(app, who, postGroupId, 'upload media', async (tx, group) => {
    await insertMedia(tx, { ...media, postGroupId, purpose: 'post' });
    return changeMedia(app, tx, group, [...group.mediaIds, mediaId], { changeType: 'attach', mediaFileId: mediaId });
  });
  return { mediaId, key, uploadUrl, fileUrl: app.storage.publicUrl(key), demoted };
}

/** The same for a file without a post. */
export async function createLibraryUpload(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage'>,
  who: Who,
  upload: NewUpload,
) {
  const { media, uploadUrl } = await newUpload(app, who, upload);
  await inLiveTurn(app, who, () =>
    withinQuotas(app.db, who.userId, async (tx) => {
      if (await isLibraryFull(tx, who.userId)) throw new Problem('library_limit_reached');
      await insertMedia(tx, { ...media, postGroupId: null, purpose: 'library' });
    }),
  );
  return { success: true as const, uploadUrl, fileUrl: app.storage.publicUrl(media.storageKey), mediaId: media.id };
}

async function newUpload(
  app: Pick<App, 'clock' | 'newId' | 'storage'>,
  { userId }: Who,
  { fileName, contentType, type = typeOf(contentType), altText = null, shared = true, labels = [] }: NewUpload,
) {
  const now = app.clock.now();
  const name = cleanFileName(fileName) || 'file';
  const key = storageKey(type, name, now, 0);
  const expiresAt = new Date(now.getTime() + uploadLifetimeMs);
  const media = {
    id: app.newId(),
    userId,
    type,
    mimeType: contentType,
    sourceFileName: name,
    altText,
    shared,
    labels,
    storageKey: key,
    status: 'uploading' as const,
    uploadUrlExpiresAt: expiresAt,
    now,
  };
  return { media, uploadUrl: await app.storage.uploadUrl(key, { contentType, expiresAt }) };
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
