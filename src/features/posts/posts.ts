import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { longCharacters, readInTurn } from '../../foundation/http/answers/long-reads.ts';
import type { Who } from '../auth/access/api-key.ts';
import { inLiveTurn } from '../auth/api-keys/live-credential.ts';
import { deleteFilesNow, selectStorageKeys } from '../files/files.ts';
import { presentPostGroup } from './list/present.ts';
import { findGroup } from './read-queries.ts';
import { deleteGroup } from './write-queries.ts';

export async function getPostGroup(app: Pick<App, 'db' | 'storage'>, who: Who, postGroupId: string) {
  const read = (maxBytes: number | null) => findGroup(app.db, who.userId, postGroupId, maxBytes);
  const first = await read(longCharacters);
  const found = first === 'long' ? await readInTurn(who.ownerId, () => read(null), charactersIn) : first;
  if (!found || found === 'long') throw new Problem('post_group_not_found');
  return presentPostGroup(app, found);
}

/** The parts of a thread repeat roughly the same text. */
const charactersIn = (group: Awaited<ReturnType<typeof findGroup>>) =>
  group && group !== 'long' ? group.posts.reduce((sum, { content }) => sum + 2 * content.length, 0) : 0;

/** Deletes a group in any status. An attempt in progress loses its claim and can no longer write. */
export async function deletePostGroup(
  app: Pick<App, 'db' | 'clock' | 'storage' | 'log'>,
  who: Who,
  postGroupId: string,
) {
  const keys = await selectStorageKeys(app.db, who.userId, { postGroupId });
  const isDeleted = await inLiveTurn(app, who, () => deleteGroup(app.db, who.userId, postGroupId));
  if (!isDeleted) throw new Problem('post_group_not_found');
  await deleteFilesNow(app, keys);
  return { success: true as const };
}
