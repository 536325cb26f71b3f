import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';
import type { ClaimedKey } from '../../../foundation/http/idempotency.ts';
import { longEditBytes, restAfterEdit, takeLongEditTurn } from '../../../foundation/http/requests/long-edits.ts';
import { lockedSettingIn } from '../../../platforms/settings.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { inLiveTurn, recheckWhenSlow } from '../../auth/api-keys/live-credential.ts';
import { requireReady } from '../../files/files.ts';
import { idsInUse } from '../../files/files-of-target.ts';
import { takeNextSlot } from '../../slots/next-slot.ts';
import type { Period } from '../../users/quotas.ts';
import { throwQuotaProblem } from '../../users/within-quotas.ts';
import type { PostWritingApp } from '../create/create-post.ts';
import { fetchMedia } from '../create/create-post.ts';
import { type Reservation, withinPlanLimits } from '../create/plan-limits.ts';
import { requireOwnThumbnail, requirePublicImages } from '../create/thumbnail-ownership.ts';
import type { UpdatePost } from '../schema.ts';
import { requireValid } from '../validate/validation.ts';
import { charactersIn, type EditableGroup, findEditable } from './edit-queries.ts';
import { relabelPost } from './relabel-post.ts';
import { type Edit, resolveUpdate } from './resolve-update.ts';
import { storeUpdate } from './store-update.ts';

/**
 * Changes the fields in the request. Stores either all changes or none. `isGone` means that the client has
 * disconnected.
 */
export async function updatePostGroup(
  app: PostWritingApp,
  who: Who,
  postGroupId: string,
  input: UpdatePost,
  claimedKey: ClaimedKey | null = null,
  isGone = () => false,
) {
  const recheck = recheckWhenSlow(app, who);
  const first = await findEditable(app.db, who.userId, postGroupId, longEditBytes);
  using turn = first === 'long' ? await takeLongEditTurn(who.ownerId, isGone) : null;
  const group = first === 'long' ? await findEditable(app.db, who.userId, postGroupId) : first;
  if (turn) turn.restMs = restAfterEdit(charactersIn(group), app.config.rateFactor);
  if (!group) throw new Problem('post_group_not_found');
  const refusal = refusalOf(group, input);
  // Labels are not published, so they can change at any time.
  const { labels } = input;
  if (refusal && labels && hasOnlyLabels(input)) {
    return await inLiveTurn(app, who, () => relabelPost(app, group, labels, claimedKey));
  }
  if (refusal) throw refusal;
  if (input.version !== undefined && input.version !== group.version) throw new Problem('post_group_version_conflict');
  const edit = await resolveUpdate(app, who, group, input);
  await requireOwnThumbnail(app, group, edit.settings);
  requirePublicImages(app, edit.settings, group.platform_settings);
  const used = idsInUse(edit.targets, { mediaIds: group.media_ids, unsharedIds: group.unshared_ids });
  const media = edit.status === 'scheduled' ? await requireReady(app, who, used) : [];
  const files = group.media_ids.length + (input.mediaUrls?.length ?? 0);
  if (input.mediaUrls && files > mediaLimits.filesPerPost) throw new Problem('media_too_many');
  await using fetched = await fetchMedia(app, who, input);
  if (edit.status === 'scheduled') {
    await requireValid(app, who, { ...edit, media: [...media, ...(fetched?.files ?? [])] });
  }
  // Access may have been revoked while files were inspected and fetched.
  await recheck(app.db);
  const toStore = { group, edit, fetched, claimedKey };
  if (edit.counted.length === 0) {
    const store = () => storeUpdate(app, app.db, { ...toStore, reservation: null });
    return await inLiveTurn(app, who, store).catch(throwQuotaProblem);
  }

  const leavingQueue = group.posts.length - (edit.platformIds.length - edit.counted.length);
  const wanted = {
    platformIds: edit.counted,
    at: edit.at!,
    takeSlot: edit.slot && ((tx: Db) => takeNextSlot(tx, edit.slot!)),
    queued: !edit.publishNow,
    alreadyQueued: group.status === 'scheduled' && !group.publish_now ? leavingQueue : 0,
    alreadyReserved: ({ key }: Period) => releasedIn(key, who.ownerId, group, edit),
  };
  const store = (db: Db, reservation: Reservation, at: Date) =>
    storeUpdate(app, db, { ...toStore, edit: { ...edit, at }, reservation });
  return await inLiveTurn(app, who, () => withinPlanLimits(app, who, wanted, store));
}

/** The targets counted in this month that the edit removes or counts again. */
function releasedIn(period: string, ownerId: string, { posts }: EditableGroup, { platformIds, counted }: Edit): number {
  const reserved = posts.flatMap((post) => post.reserved ?? []);
  const staying = new Set(platformIds).difference(new Set(counted));
  const released = ({ connection }: { connection: string }) => !staying.has(connection);
  return reserved.filter((one) => one.period === period && one.ownerId === ownerId && released(one)).length;
}

/** Why the post can no longer be changed. */
function refusalOf({ status, processing_status, posts }: EditableGroup, input: UpdatePost): Problem | null {
  if (status !== 'draft' && status !== 'scheduled') {
    return new Problem('post_not_editable', { error: `Cannot update post: post is currently in ${status} status` });
  }
  if (processing_status === 'processing') return new Problem('post_publish_started', tooLateFor(input));
  const running = posts.find((post) => post.status === 'pending' || post.status === 'processing');
  if (running) return new Problem('post_publish_in_progress', tooLateFor(input));
  const ended = posts.find((post) => post.status === 'published' || post.status === 'failed');
  if (!ended) return null;
  return new Problem('post_not_editable', { error: `Cannot edit a post with a child in ${ended.status} status.` });
}

const hasOnlyLabels = ({ labels: _, version: __, ...others }: UpdatePost) =>
  Object.values(others).every((value) => value === undefined);

/** The contract has a separate error text for a setting that is locked while the post is being published. */
function tooLateFor({ platformSettings }: UpdatePost): { error?: string } {
  const locked = lockedSettingIn(platformSettings);
  if (!locked) return {};
  return {
    error: `Post group is currently being published; cannot change ${locked}. Retry once publishing completes.`,
  };
}
