import type { Media } from '@crier/client';
import { type Draft, hasFileChanges } from '../draft.ts';
import { checkedIds, type StagedFiles } from './staged-files.ts';

/** The files of `validate-post`. */
export interface CheckedFiles {
  /** Null: the files of the post. */
  readonly mediaIds: readonly string[] | null;
  readonly platformMedia: Readonly<Record<string, readonly string[]>>;
}

/** Files that aren't in the post yet are checked as they are in the library. */
export function checkedFiles(
  { channels, files, ownFiles }: Pick<Draft, 'channels' | 'files' | 'ownFiles'>,
  shared: readonly Media[],
  own: Readonly<Record<string, readonly Media[]>>,
): CheckedFiles {
  const lists = Object.entries(own).map(([id, list]) => [id, idsOf(ownFiles[id], list)] as const);
  if (!hasFileChanges({ channels, files, ownFiles }))
    return { mediaIds: null, platformMedia: Object.fromEntries(lists) };
  const sharedIds = idsOf(files, shared);
  if (lists.length === 0) return { mediaIds: sharedIds, platformMedia: {} };
  // In the library, all files are shared.
  const all = channels.map((id) => [id, sharedIds] as const);
  return {
    mediaIds: [...new Set([...sharedIds, ...lists.flatMap(([, ids]) => ids)])],
    platformMedia: Object.fromEntries([...all, ...lists]),
  };
}

/** Each once: a file that is attached twice is one in the library. */
const idsOf = (files: StagedFiles | null | undefined, shown: readonly Media[]): readonly string[] => [
  ...new Set(files ? checkedIds(files, shown) : shown.map(({ mediaId }) => mediaId)),
];
