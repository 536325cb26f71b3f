import { NotFoundError } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { attachFiles, describeFiles } from './attach-files.ts';
import { adoptFiles, changesTo, type StagedFiles } from './staged-files.ts';

/**
 * Makes the post's shared files those that are wanted. New ones come first and old ones go last, so that none is
 * missing in between. Can be repeated: `attached` remembers what was attached.
 */
export async function storeFiles(postGroupId: string, files: StagedFiles, attached: Map<string, string>) {
  const read = async () => {
    const { media } = await crier.getPost({ postGroupId });
    return { all: media, stored: media.filter(({ shared }) => shared) };
  };
  let { all, stored } = await read();
  const { base, order: keys, added } = files;
  const others = stored.filter(({ mediaId }) => !base.includes(mediaId));
  adoptFiles(keys, added, others, attached);
  const { attach } = changesTo(files, stored, attached);
  if (attach.length > 0) {
    await attachFiles(postGroupId, attach, { added, shared: true, known: base }, attached);
    ({ all, stored } = await read());
  }
  await describeFiles(added, stored, attached);
  const { remove, order } = changesTo(files, stored, attached);
  const separate = all.filter(({ shared }) => !shared).map(({ mediaId }) => mediaId);
  const mediaIds = [...order, ...remove, ...separate];
  if (mediaIds.join() !== all.map(({ mediaId }) => mediaId).join()) await crier.reorderMedia({ postGroupId, mediaIds });
  for (const mediaId of remove) await deleteFile(mediaId);
}

/** Someone else may have deleted it first. */
export async function deleteFile(mediaId: string) {
  await crier.deleteMedia({ mediaId }).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
}
