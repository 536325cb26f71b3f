import type { PostGroup } from '@crier/client';
import { crier } from '../../../../lib/api.ts';
import { attachFiles, describeFiles } from '../attach-files.ts';
import { type Attached, adoptFiles, type StagedFiles } from '../staged-files.ts';
import { deleteFile } from '../store-files.ts';
import { filesOf, listOf, type OwnFiles } from './own-files.ts';

/**
 * Gives channels the separate files that are wanted, as `storeFiles` does for the shared ones. A channel that the post
 * doesn't have yet gets its list together with the post.
 */
export async function storeOwnFiles(postGroupId: string, changes: OwnFiles, attached: Map<string, string>) {
  const read = () => crier.getPost({ postGroupId });
  for (const [channel, files] of Object.entries(changes)) {
    if (files) await attachOwn(await read(), channel, files, attached);
  }
  const post = await read();
  const before = idsIn(post);
  const lists = listsIn(post, changes, attached);
  const kept = new Set(Object.values({ ...before, ...lists }).flatMap((ids) => ids ?? []));
  const isGone = (id: string) => !kept.has(id) && post.media.some(({ mediaId, shared }) => mediaId === id && !shared);
  const own = Object.entries(changes).flatMap(([channel, files]) => [
    ...(before[channel] ?? []),
    ...(files?.base ?? []),
    ...Object.keys(files?.added ?? {}).flatMap((key) => attached.get(key) ?? []),
  ]);
  const gone = new Set(own.filter(isGone));
  // After an interruption, files that were in a list could no longer be found without the list.
  const first = Object.keys(lists).flatMap((channel) => (lists[channel] === null ? (before[channel] ?? []) : []));
  for (const mediaId of first.filter((id) => gone.delete(id))) await deleteFile(mediaId);
  await updateLists(post, before, lists);
  for (const mediaId of gone) await deleteFile(mediaId);
}

type Ids = Readonly<Record<string, readonly string[] | null>>;

const idsIn = (post: PostGroup): Ids =>
  Object.fromEntries(
    Object.entries(filesOf(post).own).map(([channel, list]) => [channel, list.map(({ mediaId }) => mediaId)]),
  );

/** The lists as wanted. */
function listsIn(post: PostGroup, changes: OwnFiles, attached: Attached): Ids {
  const { own } = filesOf(post);
  return Object.fromEntries(
    Object.entries(changes).map(([channel, files]) => [channel, files && listOf(files, own[channel] ?? [], attached)]),
  );
}

/** Attaches what only this channel gets. */
async function attachOwn(post: PostGroup, channel: string, files: StagedFiles, attached: Map<string, string>) {
  const { postGroupId, media } = post;
  const { own } = filesOf(post);
  const { base, order, added } = files;
  const { [channel]: _, ...others } = own;
  const known = [...base, ...Object.values(others).flatMap((list) => list.map(({ mediaId }) => mediaId))];
  const isCandidate = ({ mediaId, shared }: { mediaId: string; shared: boolean }) =>
    !shared && !known.includes(mediaId);
  adoptFiles([...order, ...Object.keys(added)], added, media.filter(isCandidate), attached);
  const has = (key: string) => media.some(({ mediaId }) => mediaId === attached.get(key));
  const missing = order.filter((key) => key in added && !has(key));
  if (missing.length > 0) await attachFiles(postGroupId, missing, { added, shared: false, known }, attached);
  const stored = missing.length > 0 ? (await crier.getPost({ postGroupId })).media : media;
  await describeFiles(added, stored, attached);
}

async function updateLists({ postGroupId, platforms, status }: PostGroup, before: Ids, lists: Ids) {
  const isChanged = ([channel, ids]: [string, Ids[string]]) => ids?.join() !== before[channel]?.join();
  const changed = Object.entries(lists).filter((entry) => platforms.includes(entry[0]) && isChanged(entry));
  if (changed.length === 0) return;
  const platformMedia = Object.fromEntries(changed.map(([channel, ids]) => [channel, ids && [...ids]]));
  // A scheduled post would be validated before the rest of the draft is stored.
  await crier.updatePost({ postGroupId, platformMedia, ...(status === 'scheduled' && { status: 'draft' as const }) });
}
