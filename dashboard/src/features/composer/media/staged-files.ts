import type { Media } from '@crier/client';

/**
 * Changes to the files that are held back: those of a scheduled post until they are saved, and the files of a draft
 * until it is a post. As JSON, because drafts are stored.
 */
export interface StagedFiles {
  /** The post's files that these changes take into account. Files that others add later are kept. */
  readonly base: readonly string[];
  /** The files as wanted: ids of the post's files, and keys of `added`. */
  readonly order: readonly string[];
  readonly added: Readonly<Record<string, AddedFile>>;
}

/** A file in the library, or the URL of one, that the post doesn't have yet. */
export interface AddedFile {
  readonly source: { readonly mediaId: string } | { readonly link: string };
  readonly name: string;
  readonly type: Media['type'];
  readonly url: string | null;
  readonly altText: string;
}

/** The id in the post of each added file that was attached, by its key. A repeated save doesn't attach it again. */
export type Attached = ReadonlyMap<string, string>;

/** What a file is known by, before and after it is attached. */
export const keyOf = (mediaId: string, attached: Attached): string =>
  [...attached].find(([, id]) => id === mediaId)?.[0] ?? mediaId;

/** The files to show. */
export function shownFiles(files: StagedFiles | null, stored: readonly Media[], attached: Attached): readonly Media[] {
  if (!files) return stored;
  const wanted = files.order.flatMap((id) => {
    const file = stored.find(({ mediaId }) => mediaId === (attached.get(id) ?? id));
    const added = files.added[id];
    return file ?? (added ? mediaOf(id, added) : []);
  });
  // What was attached here and isn't wanted was removed while it was being attached.
  const known = new Set([...files.base, ...attached.values()]);
  const others = stored.filter((file) => !known.has(file.mediaId) && !wanted.includes(file));
  return [...wanted, ...others];
}

/** What is left to do on the server. Nothing, once it is done: so a save that was interrupted can be repeated. */
export function changesTo(files: StagedFiles, stored: readonly Media[], attached: Attached) {
  const has = (id: string | undefined) => stored.some(({ mediaId }) => mediaId === id);
  const wanted = shownFiles(files, stored, attached).map(({ mediaId }) => mediaId);
  return {
    attach: wanted.filter((id) => !has(id)),
    remove: stored.map(({ mediaId }) => mediaId).filter((id) => !wanted.includes(id)),
    order: wanted,
  };
}

/** The changes as they are now, to be changed further. */
export function stagedFrom(files: StagedFiles | null, stored: readonly Media[], attached: Attached): StagedFiles {
  const order = shownFiles(files, stored, attached).map(({ mediaId }) => mediaId);
  return { base: stored.map(({ mediaId }) => mediaId), order, added: files?.added ?? {} };
}

/** The id in the order. A file may have been attached since it was shown. */
const idIn = ({ order }: StagedFiles, id: string, attached: Attached) =>
  order.includes(id) ? id : (attached.get(id) ?? id);

export function withFile(
  files: StagedFiles,
  key: string,
  file: AddedFile,
  about: { at?: number | undefined; replaces?: string | undefined },
  attached: Attached,
): StagedFiles {
  const replaces = about.replaces && idIn(files, about.replaces, attached);
  const index = replaces === undefined ? (about.at ?? files.order.length) : files.order.indexOf(replaces);
  const order = files.order.filter((id) => id !== replaces);
  return {
    ...files,
    order: index < 0 ? [...order, key] : order.toSpliced(index, 0, key),
    added: { ...files.added, [key]: file },
  };
}

export const withoutFile = (files: StagedFiles, id: string): StagedFiles => ({
  ...files,
  order: files.order.filter((other) => other !== id),
});

export const inOrder = (files: StagedFiles, ids: readonly string[]): StagedFiles => ({
  ...files,
  order: [...ids, ...files.order.filter((id) => !ids.includes(id))],
});

export function withAltText(files: StagedFiles, key: string, altText: string): StagedFiles {
  const file = files.added[key];
  return file ? { ...files, added: { ...files.added, [key]: { ...file, altText } } } : files;
}

/** A file may have been attached although the answer was lost, or the page was closed. It has the same URL. */
export function adoptFiles(
  keys: readonly string[],
  added: StagedFiles['added'],
  candidates: readonly Media[],
  attached: Map<string, string>,
) {
  const owned = new Set(attached.values());
  for (const key of keys) {
    const url = added[key]?.url;
    const found = url && !attached.has(key) && candidates.find((file) => file.url === url && !owned.has(file.mediaId));
    if (!found) continue;
    attached.set(key, found.mediaId);
    owned.add(found.mediaId);
  }
}

/** The ids of the stored files, for the service's checks. A link is known only once it is attached. */
export const checkedIds = (files: StagedFiles, shown: readonly Media[]): readonly string[] =>
  shown.flatMap(({ mediaId }) => {
    const source = files.added[mediaId]?.source;
    if (!source) return mediaId;
    return 'mediaId' in source ? source.mediaId : [];
  });

const mediaOf = (mediaId: string, { name, type, url, altText }: AddedFile): Media => ({
  mediaId,
  sourceFileName: name,
  fileName: null,
  type,
  mimeType: null,
  status: 'ready',
  shared: true,
  failureReason: null,
  url,
  altText,
});
