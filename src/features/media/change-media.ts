import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { mediaLimits } from '../../foundation/errors/media.ts';
import type { Who } from '../auth/access/api-key.ts';
import { inLiveTurn } from '../auth/api-keys/live-credential.ts';
import { type Demotion, demote } from '../posts/update/demote.ts';
import { withinQuotas } from '../users/within-quotas.ts';
import { type LockedGroup, lockGroup, readGroup, setMediaIds } from './queries.ts';

type MediaChange = Extract<Demotion, { reason: 'media_changed' }>;

/** Added to a response when a scheduled post became a draft. */
export interface Demoted {
  postGroupDemoted?: true;
  message?: string;
}
const demotedMessage = 'Post was returned to draft because its media changed. Schedule it again with update-post.';

/**
 * Runs `work` while the post is locked against changes and publishing, within the quotas of the plan. `doing` is used
 * in the error message: "delete media".
 */
export function withLockedGroup<T>(
  app: Pick<App, 'db' | 'clock'>,
  who: Who,
  postGroupId: string,
  doing: string,
  work: (tx: Db, group: LockedGroup) => Promise<T>,
): Promise<T> {
  const change = async (tx: Db) => {
    const group = await lockGroup(tx, who.userId, postGroupId);
    requireEditable(group, doing);
    return work(tx, group);
  };
  return inLiveTurn(app, who, () => withinQuotas(app.db, who.userId, change));
}

/** The same checks without a lock, for use before slow work such as a download, after which a file is added. */
export async function requireEditableGroup(
  { db }: Pick<App, 'db'>,
  who: { userId: string },
  postGroupId: string,
  doing: string,
): Promise<LockedGroup> {
  const group = await readGroup(db, who.userId, postGroupId);
  requireEditable(group, doing);
  requireRoom(group.mediaIds.length + 1);
  return group;
}

/** Files that failed their check count as well, until they are deleted. */
export function requireRoom(files: number) {
  if (files > mediaLimits.filesPerPost) throw new Problem('media_too_many');
}

function requireEditable(group: LockedGroup | null, doing: string): asserts group is LockedGroup {
  if (!group) throw new Problem('post_group_not_found');
  const { status, isPublishing, endedTarget } = group;
  if (status !== 'draft' && status !== 'scheduled') throw notEditable(doing, `post is currently in ${status} status`);
  if (isPublishing) throw new Problem('media_publish_started');
  if (endedTarget) throw notEditable(doing, `a target of the post is in ${endedTarget} status`);
}

const notEditable = (doing: string, why: string) =>
  new Problem('media_not_editable', { error: `Cannot ${doing}: ${why}` });

/** Sets the files of the post. A scheduled post becomes a draft. */
export async function changeMedia(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  group: LockedGroup,
  mediaIds: readonly string[],
  { changeType, mediaFileId }: Pick<MediaChange, 'changeType' | 'mediaFileId'>,
): Promise<Demoted> {
  // A post that has more from before the limit can be reordered, and its files removed.
  if (mediaIds.length > group.mediaIds.length) requireRoom(mediaIds.length);
  await setMediaIds(tx, group.id, mediaIds, app.clock.now());
  return demoteForMedia(app, tx, group, { changeType, mediaFileId });
}

export async function demoteForMedia(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  group: LockedGroup,
  { changeType, mediaFileId }: Pick<MediaChange, 'changeType' | 'mediaFileId'>,
): Promise<Demoted> {
  const demoted = await demote(app, tx, group.id, { changeType, reason: 'media_changed', mediaFileId });
  return demoted ? { postGroupDemoted: true, message: demotedMessage } : {};
}
