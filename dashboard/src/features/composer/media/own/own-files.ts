import type { Media, PostGroup } from '@crier/client';
import { channelIdOf } from '../../../../lib/platform-name.ts';
import { type AddedFile, type Attached, type StagedFiles, shownFiles } from '../staged-files.ts';

/**
 * Changes to the separate files of channels, by connection id, until they are saved. Null: the channel gets the shared
 * files again.
 */
export type OwnFiles = Readonly<Record<string, StagedFiles | null>>;

/** The files of a post on the server: those of all channels, and those of channels with separate files. */
export interface PostFiles {
  readonly shared: readonly Media[];
  readonly own: Readonly<Record<string, readonly Media[]>>;
}

export function filesOf({ media, posts }: Pick<PostGroup, 'media' | 'posts'>): PostFiles {
  const own = posts.flatMap(({ mediaIds, ...target }) => {
    const list = mediaIds?.flatMap((id) => media.find(({ mediaId }) => mediaId === id) ?? []);
    return list ? [[channelIdOf(target), list] as const] : [];
  });
  return { shared: media.filter(({ shared }) => shared), own: Object.fromEntries(own) };
}

/** The separate files of a channel to show. Null: it gets the shared ones. */
export function shownOwn(
  channel: string,
  changes: OwnFiles,
  { own }: PostFiles,
  attached: Attached,
): readonly Media[] | null {
  const files = changes[channel];
  if (files === null) return null;
  return files ? shownFiles(files, own[channel] ?? [], attached) : (own[channel] ?? null);
}

/** Separate files that start as the shared ones. Each is attached once more, without another upload. */
export function copiesOf(
  shared: readonly Media[],
  staged: StagedFiles | null,
  { base, newKey }: { base: readonly string[]; newKey: () => string },
): StagedFiles {
  const copies = shared
    .filter(({ status }) => status === 'ready')
    .map((file) => [newKey(), staged?.added[file.mediaId] ?? addedFrom(file)] as const);
  return { base, order: copies.map(([key]) => key), added: Object.fromEntries(copies) };
}

const addedFrom = ({ mediaId, sourceFileName, type, url, altText }: Media): AddedFile => ({
  source: { mediaId },
  name: sourceFileName ?? 'file',
  type,
  url,
  altText: altText ?? '',
});

/** The ids of a channel's files in the post. A file that isn't attached yet has its key. */
export const listOf = (files: StagedFiles, list: readonly Media[], attached: Attached): readonly string[] =>
  shownFiles(files, list, attached).map(({ mediaId }) => attached.get(mediaId) ?? mediaId);

/** The lists of channels that the post doesn't have yet, so that they get them together with the post. */
export function listsOfNew(
  { channels, ownFiles }: { channels: readonly string[]; ownFiles: OwnFiles },
  before: readonly string[],
  attached: Attached,
): Record<string, string[]> {
  const lists = channels.flatMap((channel): [string, string[]][] => {
    const files = ownFiles[channel];
    if (!files || before.includes(channel)) return [];
    const ids = listOf(files, [], attached);
    return ids.some((id) => id in files.added) ? [] : [[channel, [...ids]]];
  });
  return Object.fromEntries(lists);
}
