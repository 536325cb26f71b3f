import { forms } from 'virtual:openapi';
import type { PostGroup } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { pathOf } from '../../../lib/media-path.ts';
import { platformOf } from '../../../lib/platform-name.ts';
import { type Draft, draftFor } from '../../composer/draft.ts';
import { coversOf } from '../../composer/media/covers.ts';
import { draftOf, newPostOf } from '../../composer/saving/post-of-draft.ts';

/** Creates a draft with the same texts, channels, settings, comments and files, or for some channels only. Returns its ID. */
export async function duplicatePost(
  { postGroupId: original, media }: PostGroup,
  channels: readonly string[] | null = null,
): Promise<string> {
  const whole = draftOf(await crier.getEditablePost({ postGroupId: original }), 'UTC');
  const draft = channels ? draftFor(channels, whole) : whole;
  const { postGroupId } = await crier.createPost({ ...newPostOf(draft, forms), status: 'draft' });
  for (const { url, sourceFileName, mimeType, altText, status } of media) {
    if (!url || status !== 'ready') continue;
    const bytes = await bytesOf(url);
    await crier.uploadMedia(bytes, {
      postGroupId,
      fileName: sourceFileName ?? 'copy',
      contentType: mimeType ?? bytes.type,
      ...(altText && { altText }),
    });
  }
  await copyCovers(draft, postGroupId);
  return postGroupId;
}

/** A cover belongs to one post, so upload it again for the copy. */
async function copyCovers(draft: Draft, postGroupId: string) {
  for (const { platform, setting, urlIn, upload } of coversOf(draft.channels.map(platformOf), draft)) {
    const url = urlIn(draft.settings[platform]?.[setting]);
    if (!url) continue;
    // A cover stored elsewhere belongs to no post, and the dashboard can't read it.
    const bytes = await bytesOf(url).catch(() => null);
    if (!bytes) continue;
    const value = await upload(new File([bytes], 'cover', { type: bytes.type }), postGroupId);
    await crier.updatePost({ postGroupId, platformSettings: { [platform]: { [setting]: value } } });
  }
}

/** The browser can read the user's files, so no public URL is needed. */
async function bytesOf(url: string): Promise<Blob> {
  const response = await fetch(pathOf(url));
  if (!response.ok) throw new Error(`Couldn’t read the file (${response.status}).`);
  return response.blob();
}
