import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import { deleteFilesNow, selectStorageKeys } from '../media/media.ts';
import { presentPostGroup } from './present.ts';
import { findGroup } from './read-queries.ts';
import { deleteGroup } from './write-queries.ts';

export { createPostGroup, validateNewPost } from './create-post.ts';
export { listPostGroups } from './list-posts.ts';
export { listPostLogs } from './post-logs.ts';
export { updatePostGroup } from './update-post.ts';

export async function getPostGroup(app: Pick<App, 'db' | 'storage'>, who: Who, postGroupId: string) {
  const found = await findGroup(app.db, who.userId, postGroupId);
  if (!found) throw new Problem('post_group_not_found');
  return presentPostGroup(app, found);
}

/** Deletes a group in any status. An attempt that is in progress loses its claim and can write nothing. */
export async function deletePostGroup(
  app: Pick<App, 'db' | 'clock' | 'storage' | 'log'>,
  who: Who,
  postGroupId: string,
) {
  const keys = await selectStorageKeys(app.db, who.userId, { postGroupId });
  if (!(await deleteGroup(app.db, who.userId, postGroupId))) throw new Problem('post_group_not_found');
  await deleteFilesNow(app, keys);
  return { success: true as const };
}
