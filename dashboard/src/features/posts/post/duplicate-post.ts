import { forms } from 'virtual:openapi';
import type { CallOptions, PostGroup } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { pathOf } from '../../../lib/files/media-path.ts';
import { platformOf } from '../../../lib/platform-name.ts';
import { type Draft, draftFor } from '../../composer/draft.ts';
import { coversOf } from '../../composer/media/covers.ts';
import { draftOf, newPostOf } from '../../composer/saving/post-of-draft.ts';

/**
 * Creates a draft with the same texts, channels, settings, comments and files, or for some channels only. Returns its ID. With an
 * `idempotencyKey` it can be repeated: there is one copy.
 */
export async function duplicatePost(
  { postGroupId: original, media }: PostGroup,
  channels: readonly string[] | null = null,
  { userId, idempotencyKey }: Pick<CallOptions, 'userId' | 'idempotencyKey'> = {},
): Promise<string> {
  const whole = draftOf(await crier.getEditablePost({ postGroupId: original }, { userId }), 'UTC');
  const draft = channels ? draftFor(channels, whole) : whole;
  const { postGroupId } = await crier.createPost(
    { ...newPostOf(draft, forms), status: 'draft' },
    { userId, idempotencyKey },
  );
  const mediaIds = media.filter(({ status }) => status === 'ready').map(({ mediaId }) => mediaId);
  // All of them or none, so a copy with files has all. The files aren't stored again.
  const hasFiles = mediaIds.length > 0 && (await crier.getPost({ postGroupId }, { userId })).media.length > 0;
  if (mediaIds.length > 0 && !hasFiles) await crier.attachFromLibrary({ postGroupId, mediaIds }, { userId });
  await copyCovers(draft, postGroupId, { userId });
  return postGroupId;
}

/** A cover belongs to one post, so upload it again for the copy. */
async function copyCovers(draft: Draft, postGroupId: string, owner: Pick<CallOptions, 'userId'>) {
  for (const { platform, setting, urlIn, upload } of coversOf(draft.channels.map(platformOf), draft)) {
    const url = urlIn(draft.settings[platform]?.[setting]);
    if (!url) continue;
    // A cover stored elsewhere belongs to no post, and the dashboard can't read it.
    const bytes = await bytesOf(url).catch(() => null);
    if (!bytes) continue;
    const value = await upload(new File([bytes], 'cover', { type: bytes.type }), postGroupId, owner);
    await crier.updatePost({ postGroupId, platformSettings: { [platform]: { [setting]: value } } }, owner);
  }
}

/** The browser can read the user's files, so no public URL is needed. */
async function bytesOf(url: string): Promise<Blob> {
  const response = await fetch(pathOf(url));
  if (!response.ok) throw new Error(`Couldn’t read the file (${response.status}).`);
  return response.blob();
}
