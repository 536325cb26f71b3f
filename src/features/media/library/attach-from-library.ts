import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { changeMedia, requireRoom, withLockedGroup } from '../change-media.ts';
import { copyOf, insertFiles, type LibraryFile, lockOriginals, moveToLibrary } from './queries.ts';

/**
 * Attaches listed files to the post without storing them again. A file of another post moves to the library, so that
 * it outlives that post.
 */
export function attachFromLibrary(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  who: Who,
  postGroupId: string,
  mediaIds: readonly string[],
  shared = true,
) {
  return withLockedGroup(app, who, postGroupId, 'attach media', async (tx, group) => {
    requireRoom(group.mediaIds.length + mediaIds.length);
    const found = await lockOriginals(tx, who.userId, mediaIds);
    const files = mediaIds.map((mediaId) => requireReady(found.get(mediaId)));
    const ofPosts = new Map(files.filter((file) => file.post_group_id !== null).map((file) => [file.id, file]));
    const moved = await moveToLibrary(tx, who.userId, [...ofPosts.values()], app.newId);
    const copies = files.map((file) => {
      const copy = { id: app.newId(), postGroupId: group.id, shared, now: app.clock.now() };
      return copyOf(moved.get(file.id) ?? file, copy);
    });
    await insertFiles(tx, copies);
    const ids = copies.map(({ id }) => id);
    const all = [...group.mediaIds, ...ids];
    const demoted = await changeMedia(app, tx, group, all, { changeType: 'attach', mediaFileId: ids[0]! });
    return { success: true as const, mediaIds: ids, ...demoted };
  });
}

function requireReady(file: LibraryFile | undefined): LibraryFile {
  if (!file) throw new Problem('media_not_found');
  if (file.status !== 'ready' || file.storage_key === null) throw new Problem('media_not_ready');
  return file;
}
