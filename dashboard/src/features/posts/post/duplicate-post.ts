import { forms } from 'virtual:openapi';
import type { CallOptions, Media, PostGroup } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { pathOf } from '../../../lib/files/media-path.ts';
import { channelIdOf, platformOf } from '../../../lib/platform-name.ts';
import { type Draft, draftFor } from '../../composer/draft.ts';
import { coversOf } from '../../composer/media/covers.ts';
import { draftOf, newPostOf } from '../../composer/saving/post-of-draft.ts';

/**
 * Creates a draft with the same texts, channels, settings, comments and files, or for some channels only. Returns its ID. With an
 * `idempotencyKey` it can be repeated: there is one copy.
 */
export async function duplicatePost(
  { postGroupId: original, media, posts }: PostGroup,
  channels: readonly string[] | null = null,
  { userId, idempotencyKey }: Pick<CallOptions, 'userId' | 'idempotencyKey'> = {},
): Promise<string> {
  const whole = draftOf(await crier.getEditablePost({ postGroupId: original }, { userId }), 'UTC');
  const draft = channels ? draftFor(channels, whole) : whole;
  const { postGroupId } = await crier.createPost(
    { ...newPostOf(draft, forms), status: 'draft' },
    { userId, idempotencyKey },
  );
  const lists = posts
    .filter((target) => target.mediaIds && draft.channels.includes(channelIdOf(target)))
    .map((target) => [channelIdOf(target), target.mediaIds!] as const);
  const isCopied = ({ mediaId, status, shared }: Media) =>
    status === 'ready' && (shared || lists.some(([, ids]) => ids.includes(mediaId)));
  const copies = await copyFiles(media.filter(isCopied), postGroupId, { userId });
  if (lists.length > 0) {
    const copied = lists.map(([channel, ids]) => [channel, ids.flatMap((id) => copies.get(id) ?? [])]);
    await crier.updatePost({ postGroupId, platformMedia: Object.fromEntries(copied) }, { userId });
  }
  await copyCovers(draft, postGroupId, { userId });
  return postGroupId;
}

/** The id of each file's copy. The files aren't stored again. */
async function copyFiles(
  media: readonly Media[],
  postGroupId: string,
  owner: Pick<CallOptions, 'userId'>,
): Promise<ReadonlyMap<string, string>> {
  const copies = new Map<string, string>();
  if (media.length === 0) return copies;
  const read = async () => (await crier.getPost({ postGroupId }, owner)).media;
  const before = await read();
  for (const shared of [true, false]) {
    const wanted = media.filter((file) => file.shared === shared).map(({ mediaId }) => mediaId);
    // All of them or none, so a copy with files has all.
    const found = before.filter((file) => file.shared === shared).map(({ mediaId }) => mediaId);
    const isMissing = wanted.length > 0 && found.length === 0;
    const ids = isMissing
      ? (await crier.attachFromLibrary({ postGroupId, mediaIds: wanted, shared }, owner)).mediaIds
      : found;
    for (const [index, id] of wanted.entries()) if (ids[index]) copies.set(id, ids[index]);
  }
  // The library has another alt text than a post.
  const after = await read();
  for (const { mediaId, altText } of media) {
    const copy = after.find((file) => file.mediaId === copies.get(mediaId));
    if (copy && copy.altText !== altText) await crier.updateMedia({ mediaId: copy.mediaId, altText }, owner);
  }
  return copies;
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
