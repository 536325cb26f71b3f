import { type Media, NotFoundError } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { type AddedFile, changesTo, type StagedFiles } from './staged-files.ts';

/**
 * Makes the post's files those that are wanted. New ones come first and old ones go last, so that none is missing in
 * between. Can be repeated: `attached` remembers what was attached.
 */
export async function storeFiles(postGroupId: string, files: StagedFiles, attached: Map<string, string>) {
  const read = async () => (await crier.getPost({ postGroupId })).media;
  let stored = await read();
  adopt(files, stored, attached);
  const { attach } = changesTo(files, stored, attached);
  if (attach.length > 0) {
    await attachAll(postGroupId, attach, files, attached, stored);
    stored = await read();
  }
  await describeAll(files, stored, attached);
  const { remove, order } = changesTo(files, stored, attached);
  const mediaIds = [...order, ...remove];
  if (mediaIds.join() !== stored.map(({ mediaId }) => mediaId).join())
    await crier.reorderMedia({ postGroupId, mediaIds });
  for (const mediaId of remove) await crier.deleteMedia({ mediaId }).catch(ignoreGone);
}

/** A request without an answer. */
const unknown = '';

/** A file may have been attached although the answer was lost. It is at the end of the files then. */
function adopt({ base, order, added }: StagedFiles, stored: readonly Media[], attached: Map<string, string>) {
  const tried = order.filter((key) => attached.get(key) === unknown);
  const owned = new Set([...base, ...attached.values()]);
  const found = stored.filter(({ mediaId }) => !owned.has(mediaId)).slice(-tried.length || stored.length);
  const isSame = tried.every((key, index) => [null, added[key]?.type].includes(found[index]?.type ?? null));
  for (const [index, key] of tried.entries()) {
    if (isSame && found.length === tried.length) attached.set(key, found[index]!.mediaId);
  }
}

/** Files of the library together, so that the post has all of them or none. */
async function attachAll(
  postGroupId: string,
  keys: readonly string[],
  { added }: StagedFiles,
  attached: Map<string, string>,
  stored: readonly Media[],
) {
  const inLibrary = keys.flatMap((key) => {
    const { source } = added[key]!;
    return 'mediaId' in source ? [{ key, mediaId: source.mediaId }] : [];
  });
  if (inLibrary.length > 0) {
    for (const { key } of inLibrary) attached.set(key, unknown);
    const { mediaIds } = await crier.attachFromLibrary({
      postGroupId,
      mediaIds: inLibrary.map(({ mediaId }) => mediaId),
    });
    for (const [index, { key }] of inLibrary.entries()) attached.set(key, mediaIds[index]!);
  }
  const known = new Set([...stored.map(({ mediaId }) => mediaId), ...attached.values()]);
  for (const key of keys) {
    const { source } = added[key]!;
    if (!('link' in source)) continue;
    const mediaId = await attachLink(postGroupId, source.link, known);
    if (mediaId) attached.set(key, mediaId);
  }
}

/** The answer doesn't contain the id of the new file. */
async function attachLink(postGroupId: string, link: string, known: Set<string>): Promise<string | null> {
  await crier.attachMedia({ postGroupId, file: { download_url: link, file_id: link.slice(0, 512) } });
  const { media } = await crier.getPost({ postGroupId });
  const mediaId = media.findLast((file) => !known.has(file.mediaId))?.mediaId ?? null;
  if (mediaId) known.add(mediaId);
  return mediaId;
}

async function describeAll({ added }: StagedFiles, stored: readonly Media[], attached: ReadonlyMap<string, string>) {
  const changed = Object.entries(added).flatMap(([key, { altText }]: [string, AddedFile]) => {
    const file = stored.find(({ mediaId }) => mediaId === attached.get(key));
    return file && (file.altText ?? '') !== altText.trim() ? [{ mediaId: file.mediaId, altText }] : [];
  });
  for (const { mediaId, altText } of changed) await crier.updateMedia({ mediaId, altText: altText.trim() || null });
}

/** Someone else deleted it first. */
function ignoreGone(error: unknown) {
  if (!(error instanceof NotFoundError)) throw error;
}
