/** A file of a post. One that is not shared goes only to targets that list it. */
interface PostFile {
  readonly id: string;
  readonly shared: boolean;
}

/** The files that a target lists instead of the shared files of its post. Null: it has no such list. */
export type OwnFiles = readonly string[] | null;

/**
 * The files that go to a target, in order. Everything that validates, publishes or shows the files of a target uses
 * this function.
 */
export function filesOfTarget<File extends PostFile>(own: OwnFiles, files: readonly File[]): File[] {
  if (!own) return files.filter(({ shared }) => shared);
  const byId = new Map(files.map((file) => [file.id, file]));
  return own.flatMap((id) => byId.get(id) ?? []);
}

/** The ids of those files of a post that go to at least one of these targets. */
export function idsInUse(
  targets: readonly { readonly mediaIds: OwnFiles }[],
  { mediaIds, unsharedIds }: { mediaIds: readonly string[]; unsharedIds: readonly string[] },
): string[] {
  const unshared = new Set(unsharedIds);
  const files = mediaIds.map((id) => ({ id, shared: !unshared.has(id) }));
  const used = new Set(targets.flatMap((target) => filesOfTarget(target.mediaIds, files)));
  return files.filter((file) => used.has(file)).map(({ id }) => id);
}
