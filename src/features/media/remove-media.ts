import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { attachedImages, imageIn, withoutImage } from '../../platforms/attached-images.ts';
import type { Who } from '../auth/access/api-key.ts';
import { deleteFilesNow, deleteMedia, findMedia, type MediaRecord, selectStorageKeys } from '../files/files.ts';
import type { FilesApp } from '../files/storing/verify-upload.ts';
import { changeMedia, demoteForMedia, withLockedGroup } from './change-media.ts';
import { removeFromLibrary } from './library/remove-from-library.ts';
import { type LockedGroup, setSettings, unlist } from './queries.ts';

/** Removes a file from its post and deletes both record and file. A file of the library stays in posts that use it. */
export async function removeMedia(app: FilesApp, who: Who, mediaId: string) {
  const found = await findMedia(app.db, who.userId, mediaId);
  if (!found || found.purpose === 'removed') throw new Problem('media_not_found');
  if (found.postGroupId === null) return removeFromLibrary(app, who, mediaId);
  const keys = await selectStorageKeys(app.db, who.userId, { mediaId });
  const answer = await withLockedGroup(app, who, found.postGroupId, 'delete media', async (tx, group) => {
    if (!(await deleteMedia(tx, who.userId, mediaId))) throw new Problem('media_not_found');
    if (found.purpose !== 'post') return { success: true as const, ...(await clearThumbnail(app, tx, group, found)) };
    if (!group.mediaIds.includes(mediaId)) return { success: true as const, mediaWasOrphan: true };
    return { success: true as const, ...(await detach(app, tx, group, mediaId, 'detach')) };
  });
  await deleteFilesNow(app, keys);
  return answer;
}

/** Removes a setting's reference to the image. */
async function clearThumbnail(app: FilesApp, tx: Db, group: LockedGroup, { id, purpose, storageKey }: MediaRecord) {
  const image = attachedImages.find((known) => known.purpose === purpose);
  const named = image && imageIn(group.settings, image);
  const url = storageKey && app.storage.publicUrl(storageKey);
  const isNamed = image?.reference === 'media' ? named?.mediaId === id : url !== null && named?.url === url;
  if (!image || !isNamed) return { mediaWasOrphan: true };
  await setSettings(tx, group.id, withoutImage(group.settings, image), app.clock.now());
  const demoted = await demoteForMedia(app, tx, group, { changeType: 'detach', mediaFileId: id });
  return { ...demoted, [`${image.field}Cleared`]: true };
}

/** Removes the reference to a missing file from the post. */
export function pruneReference(app: FilesApp, who: Who, postGroupId: string, mediaId: string) {
  return withLockedGroup(app, who, postGroupId, 'remove the media reference', async (tx, group) => {
    if (!group.mediaIds.includes(mediaId)) throw new Problem('media_reference_not_found');
    if (await findMedia(tx, who.userId, mediaId)) throw new Problem('media_reference_valid');
    return { success: true as const, ...(await detach(app, tx, group, mediaId, 'prune_reference')) };
  });
}

async function detach(
  app: FilesApp,
  tx: Db,
  group: LockedGroup,
  mediaId: string,
  changeType: 'detach' | 'prune_reference',
) {
  const left = group.mediaIds.filter((id) => id !== mediaId);
  const isListed = Object.values(group.platformMedia).some((ids) => ids.includes(mediaId));
  if (isListed) await unlist(tx, group.id, mediaId, app.clock.now());
  return changeMedia(app, tx, group, left, { changeType, mediaFileId: mediaId });
}

/** Changes the order of the files. An unchanged order has no effect. */
export function reorderMedia(app: FilesApp, who: Who, postGroupId: string, mediaIds: readonly string[]) {
  return withLockedGroup(app, who, postGroupId, 'reorder media', async (tx, group) => {
    const same = [...mediaIds].sort().join() === [...group.mediaIds].sort().join();
    if (!same) throw new Problem('media_order_invalid');
    if (mediaIds.join() === group.mediaIds.join()) return { success: true as const, mediaIds: [...mediaIds] };
    const demoted = await changeMedia(app, tx, group, mediaIds, { changeType: 'reorder', mediaFileId: null });
    return { success: true as const, mediaIds: [...mediaIds], ...demoted };
  });
}
