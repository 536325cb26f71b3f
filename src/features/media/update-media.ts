import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { type Who, whoIs } from '../auth/access/api-key.ts';
import { inLiveTurn } from '../auth/api-keys/live-credential.ts';
import { findMedia, type MediaDetails, presentMedia, selectMedia, setDetails } from '../files/files.ts';
import { findTargets } from '../posts/create/find-targets.ts';
import { requireAltTexts } from '../posts/validate/validation.ts';
import { demoteForMedia, withLockedGroup } from './change-media.ts';
import { type LockedGroup, setChanged } from './queries.ts';

/**
 * Changes what is known of a file. Only the alt text is published with a post. A scheduled post stays scheduled, so its
 * platforms must accept the new text. It becomes a draft if `shared` changes, because its targets get other files.
 */
export async function updateMedia(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage'>,
  who: Who,
  mediaId: string,
  details: MediaDetails,
) {
  const change = async (tx: Db) => {
    const media = await setDetails(tx, who.userId, mediaId, details);
    if (!media) throw new Problem('media_not_found');
    return { success: true as const, media: presentMedia(app, media) };
  };
  const found = await findMedia(app.db, who.userId, mediaId);
  if (!found || found.purpose === 'removed') throw new Problem('media_not_found');
  if (found.postGroupId === null && details.shared !== undefined) throw new Problem('media_shared_without_post');
  const isOfPost = details.altText !== undefined || details.shared !== undefined;
  // The file may be locked while it is attached to posts.
  if (found.postGroupId === null || !isOfPost) return inLiveTurn(app, who, () => change(app.db));
  return withLockedGroup(app, who, found.postGroupId, 'change media', async (tx, group) => {
    const before = await findMedia(tx, who.userId, mediaId);
    const answer = await change(tx);
    await setChanged(tx, group.id, app.clock.now());
    if (before?.shared !== answer.media.shared) {
      const changeType = answer.media.shared ? 'attach' : 'detach';
      return { ...answer, ...(await demoteForMedia(app, tx, group, { changeType, mediaFileId: mediaId })) };
    }
    if (group.status === 'scheduled') await requireFitting(tx, who, group);
    return answer;
  });
}

async function requireFitting(tx: Db, who: Who, { platformIds, mediaIds, platformMedia }: LockedGroup) {
  // Read again: the connections cached with the API key may be a few seconds old.
  const fresh = await whoIs(tx, who.userId);
  const targets = await findTargets({ db: tx }, fresh, platformIds, platformIds);
  const files = await selectMedia(tx, who.userId, mediaIds);
  const media = mediaIds.flatMap((id) => files.find((file) => file.id === id) ?? []);
  await requireAltTexts(
    targets.map((target) => ({ ...target, mediaIds: platformMedia[target.platformId] ?? null })),
    { media, client: who.client },
  );
}
