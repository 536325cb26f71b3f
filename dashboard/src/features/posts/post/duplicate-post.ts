import { forms } from 'virtual:openapi';
import type { PostGroup } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { pathOf } from '../../../lib/media-path.ts';
import { platformOf } from '../../../lib/platform-name.ts';
import { type Draft, draftFor } from '../../composer/draft.ts';
import { coversOf } from '../../composer/media/covers.ts';
import { draftOf, newPostOf } from '../../composer/saving/post-of-draft.ts';

/** A draft with the same texts, channels, settings, comments and files, or for some of its channels. Returns its id. */
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

/** A cover belongs to one post, so the copy gets its own. */
async function copyCovers(draft: Draft, postGroupId: string) {
  for (const { platform, setting, urlIn, upload } of coversOf(draft.channels.map(platformOf), draft)) {
    const url = urlIn(draft.settings[platform]?.[setting]);
    if (!url) continue;
    // One that is stored elsewhere belongs to no post, and the pages of the dashboard may not read it.
    const bytes = await bytesOf(url).catch(() => null);
    if (!bytes) continue;
    const value = await upload(new File([bytes], 'cover', { type: bytes.type }), postGroupId);
    await crier.updatePost({ postGroupId, platformSettings: { [platform]: { [setting]: value } } });
  }
}

/** The browser may read its own files, so a copy needs no public address. */
async function bytesOf(url: string): Promise<Blob> {
  const response = await fetch(pathOf(url));
  if (!response.ok) throw new Error(`The file could not be read (${response.status}).`);
  return response.blob();
}
