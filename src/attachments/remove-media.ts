import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import type { Json } from '../lib/json.ts';
import { deleteMedia, findMedia, type MediaRecord } from '../media/media.ts';
import { changeMedia, demoteForMedia, withEditableGroup } from './editable-group.ts';
import { type LockedGroup, setSettings } from './queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'storage'>;

/** Takes a file out of its post and deletes record and file. */
export async function removeMedia(app: Needs, who: Pick<Who, 'userId'>, mediaId: string) {
  const found = await findMedia(app.db, who.userId, mediaId);
  if (!found) throw new Problem('media_not_found');
  return withEditableGroup(app, who, found.postGroupId, 'delete media', async (tx, group) => {
    if (!(await deleteMedia(tx, who.userId, mediaId))) throw new Problem('media_not_found');
    if (found.purpose !== 'post') return { success: true as const, ...(await clearThumbnail(app, tx, group, found)) };
    if (!group.mediaIds.includes(mediaId)) return { success: true as const, mediaWasOrphan: true };
    const left = group.mediaIds.filter((id) => id !== mediaId);
    const demoted = await changeMedia(app, tx, group, left, { changeType: 'detach', mediaFileId: mediaId });
    return { success: true as const, ...demoted };
  });
}

/** Settings that named it name nothing now. */
async function clearThumbnail(app: Needs, tx: Db, group: LockedGroup, { id, purpose, storageKey }: MediaRecord) {
  const { youtube, instagram } = group.settings as Record<string, Record<string, Json> | undefined>;
  const isThumbnail =
    purpose === 'youtube_thumbnail' && (youtube?.thumbnail as { mediaId?: string } | undefined)?.mediaId === id;
  const isCover =
    purpose === 'instagram_cover' && storageKey !== null && instagram?.coverUrl === app.storage.publicUrl(storageKey);
  if (!isThumbnail && !isCover) return { mediaWasOrphan: true };
  const settings = {
    ...group.settings,
    ...(isThumbnail && { youtube: without(youtube!, 'thumbnail') }),
    ...(isCover && { instagram: without(instagram!, 'coverUrl') }),
  };
  await setSettings(tx, group.id, settings, app.clock.now());
  const demoted = await demoteForMedia(app, tx, group, { changeType: 'detach', mediaFileId: id });
  return { ...demoted, ...(isThumbnail && { thumbnailCleared: true }), ...(isCover && { coverCleared: true }) };
}

function without(settings: Record<string, Json>, name: string): Record<string, Json> {
  const { [name]: _, ...rest } = settings;
  return rest;
}

/** Takes a name out of the post's list that leads nowhere. */
export function pruneReference(app: Needs, who: Pick<Who, 'userId'>, postGroupId: string, mediaId: string) {
  return withEditableGroup(app, who, postGroupId, 'remove the media reference', async (tx, group) => {
    if (!group.mediaIds.includes(mediaId)) throw new Problem('media_reference_not_found');
    if (await findMedia(tx, who.userId, mediaId)) throw new Problem('media_reference_valid');
    const left = group.mediaIds.filter((id) => id !== mediaId);
    const demoted = await changeMedia(app, tx, group, left, { changeType: 'prune_reference', mediaFileId: mediaId });
    return { success: true as const, ...demoted };
  });
}

/** The same files in another order; the same order changes nothing. */
export function reorderMedia(app: Needs, who: Pick<Who, 'userId'>, postGroupId: string, mediaIds: readonly string[]) {
  return withEditableGroup(app, who, postGroupId, 'reorder media', async (tx, group) => {
    const same = [...mediaIds].sort().join() === [...group.mediaIds].sort().join();
    if (!same) throw new Problem('media_order_invalid');
    if (mediaIds.join() === group.mediaIds.join()) return { success: true as const, mediaIds: [...mediaIds] };
    const demoted = await changeMedia(app, tx, group, mediaIds, { changeType: 'reorder', mediaFileId: null });
    return { success: true as const, mediaIds: [...mediaIds], ...demoted };
  });
}
