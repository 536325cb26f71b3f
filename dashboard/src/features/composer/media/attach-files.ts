import type { Media } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import type { AddedFile } from './staged-files.ts';

type Added = Readonly<Record<string, AddedFile>>;

/** Files of the library together, so that the post has all of them or none. */
export async function attachFiles(
  postGroupId: string,
  keys: readonly string[],
  { added, shared, known }: { added: Added; shared: boolean; known: readonly string[] },
  attached: Map<string, string>,
) {
  const inLibrary = keys.flatMap((key) => {
    const { source } = added[key]!;
    return 'mediaId' in source ? [{ key, mediaId: source.mediaId }] : [];
  });
  if (inLibrary.length > 0) {
    const files = inLibrary.map(({ mediaId }) => mediaId);
    const { mediaIds } = await crier.attachFromLibrary({ postGroupId, mediaIds: files, shared });
    for (const [index, { key }] of inLibrary.entries()) attached.set(key, mediaIds[index]!);
  }
  for (const key of keys) {
    const { source } = added[key]!;
    if (!('link' in source)) continue;
    // A repeat with the same key has no second effect.
    const file = { download_url: source.link, file_id: key };
    await crier.attachMedia({ postGroupId, file, shared, idempotencyKey: key });
    const mediaId = await newestFile(postGroupId, { shared, known: [...known, ...attached.values()] });
    if (mediaId) attached.set(key, mediaId);
  }
}

/** The answer doesn't contain the id of the new file. */
async function newestFile(
  postGroupId: string,
  { shared, known }: { shared: boolean; known: readonly string[] },
): Promise<string | null> {
  const { media } = await crier.getPost({ postGroupId });
  const isNew = (file: Media) => file.shared === shared && !known.includes(file.mediaId);
  return media.findLast(isNew)?.mediaId ?? null;
}

export async function describeFiles(added: Added, stored: readonly Media[], attached: ReadonlyMap<string, string>) {
  const changed = Object.entries(added).flatMap(([key, { altText }]) => {
    const file = stored.find(({ mediaId }) => mediaId === attached.get(key));
    return file && (file.altText ?? '') !== altText.trim() ? [{ mediaId: file.mediaId, altText }] : [];
  });
  for (const { mediaId, altText } of changed) await crier.updateMedia({ mediaId, altText: altText.trim() || null });
}
