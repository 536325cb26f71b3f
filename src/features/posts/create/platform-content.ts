import { Problem } from '../../../foundation/errors/index.ts';
import type { EditableGroup } from '../update/edit-queries.ts';
import type { Target } from './find-targets.ts';

/** The texts of the targets that do not have that of the group, by connection id. */
export type OwnContent = Readonly<Record<string, string>>;

/** The text of each target: its own, or that of the group. */
export const withContent = (targets: readonly Target[], content: string, own: OwnContent) =>
  targets.map((target) => ({ target, content: own[target.platformId] ?? content }));

/** Throws if a text is for a connection that the post does not go to. */
export function requireKnown<T extends Readonly<Record<string, unknown>>>(sent: T, platformIds: readonly string[]): T {
  const unknown = Object.keys(sent).find((id) => !platformIds.includes(id));
  if (unknown === undefined) return sent;
  throw new Problem('platform_content_unknown', {
    error: `platformContent names ${unknown}, which is not in platforms`,
  });
}

/** The own texts after an update. A text that the update does not name stays. */
export function changedContent(
  { posts }: EditableGroup,
  sent: Readonly<Record<string, string | null>> = {},
  platformIds: readonly string[] = [],
): OwnContent {
  requireKnown(sent, platformIds);
  const stored = posts.map(
    ({ platform, account_id, own_content }) => [`${platform}-${account_id}`, own_content] as const,
  );
  const merged = Object.entries({ ...Object.fromEntries(stored), ...sent });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
}
