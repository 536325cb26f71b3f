import { Problem } from '../../../foundation/errors/index.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';
import { postLimits } from '../../../foundation/errors/posts.ts';
import { inTurns, type Pausable } from '../../../foundation/text/in-turns.ts';
import { type MeasuredText, measureText } from '../../../foundation/text/measure-text.ts';
import { countingOf } from '../../connections/platform-limits.ts';
import type { OwnFiles } from '../../files/files-of-target.ts';
import type { NewTarget } from '../target-queries.ts';
import type { Target } from './find-targets.ts';

/** The text for one target: split into a thread if needed, counted, and ready to store. */
export interface TargetContent extends StorableText {
  readonly target: Target;
  /** Whether the target has its own text instead of the group's. */
  readonly isOwn: boolean;
  readonly mediaIds: OwnFiles;
}

interface StorableText extends MeasuredText {
  /** The parts as stored before publishing, as JSON. */
  readonly storedParts: string;
}

/** The texts of targets that do not use the group's text, by connection id. */
export type OwnContent = Readonly<Record<string, string>>;

/** The files of targets that do not use the shared ones, by connection id. */
export type OwnMedia = Readonly<Record<string, readonly string[]>>;

const unknownIn = { platformContent: 'platform_content_unknown', platformMedia: 'platform_media_unknown' } as const;

/** Throws if a text or a list of files is for a connection that is not a target of the post. */
export function requireKnown<T extends Readonly<Record<string, unknown>>>(
  sent: T,
  platformIds: readonly string[],
  field: keyof typeof unknownIn,
): T {
  const known = new Set(platformIds);
  const unknown = Object.keys(sent).find((id) => !known.has(id));
  if (unknown === undefined) return sent;
  throw new Problem(unknownIn[field], { error: `${field} names ${unknown}, which is not in platforms` });
}

/** Without the connections that use what the post has. */
export const ownOnly = <T>(sent: Readonly<Record<string, T | null>>): Record<string, T> =>
  Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, T] => entry[1] !== null));

/**
 * Splits and counts each text once for all accounts with the same limits. Validation and storage only read the
 * result.
 */
export async function contentsFor(
  targets: readonly Target[],
  groupContent: string,
  own: OwnContent,
  ownMedia: OwnMedia,
): Promise<TargetContent[]> {
  const withOwn = targets.filter(({ platformId }) => Object.hasOwn(own, platformId));
  const length = withOwn.reduce((sum, { platformId }) => sum + own[platformId]!.length, groupContent.length);
  if (length > postLimits.textsLength) throw new Problem('texts_over_cap');
  const ofTargets = targets.reduce((sum, { platformId }) => sum + (own[platformId] ?? groupContent).length, 0);
  if (ofTargets > postLimits.targetTextsLength) throw new Problem('target_texts_over_cap');
  const listed = targets.reduce((sum, { platformId }) => sum + (ownMedia[platformId]?.length ?? 0), 0);
  if (listed > mediaLimits.listedFiles) throw new Problem('platform_media_too_many');
  const known = new Map<string, Map<string, StorableText>>();
  const contents: TargetContent[] = [];
  for (const target of targets) {
    const isOwn = Object.hasOwn(own, target.platformId);
    const written = isOwn ? own[target.platformId]! : groupContent;
    const limits = JSON.stringify([target.limits.text, target.limits.threads]);
    const ofText = known.get(written) ?? new Map<string, StorableText>();
    known.set(written, ofText);
    const measured = ofText.get(limits) ?? (await inTurns(storable(written, target)));
    ofText.set(limits, measured);
    const mediaIds = Object.hasOwn(ownMedia, target.platformId) ? ownMedia[target.platformId]! : null;
    contents.push({ ...measured, target, isOwn, mediaIds });
  }
  return contents;
}

function* storable(written: string, { limits: { text, threads } }: Target): Pausable<StorableText> {
  const measured = yield* measureText(written, { ...text, cuts: threads?.cuts ?? null });
  return { ...measured, storedParts: yield* storedParts(measured.parts) };
}

/** One post of a thread, as stored with its target and returned by get-post. A single post has no parts. */
export interface ThreadPart {
  index: number;
  content: string;
  status: 'pending' | 'published' | 'failed';
  publishedId: string | null;
}

function* storedParts(parts: readonly string[]): Pausable<string> {
  const texts: string[] = [];
  for (const [index, content] of parts.entries()) {
    texts.push(JSON.stringify({ index, content, status: 'pending', publishedId: null } satisfies ThreadPart));
    yield;
  }
  return `[${texts.join(',')}]`;
}

export const newTarget = (
  id: string,
  { target, content, isOwn, mediaIds, storedParts: threadParts }: TargetContent,
): NewTarget => ({
  id,
  connectionId: target.connection.id,
  platform: target.connection.platform,
  accountId: target.connection.accountId,
  content,
  contentOverridden: isOwn,
  mediaIds,
  threadParts,
});

/** The texts in the response, with one entry for all targets that treat a text the same way. */
export function checkedTexts(contents: readonly TargetContent[]) {
  const alike = Map.groupBy(contents, ({ split }) => split);
  return [...alike].map(([split, [first, ...others]]) => ({
    platforms: [first!, ...others].map(({ target }) => target.platformId),
    length: first!.length,
    ...(first!.networkLength !== null && { networkLength: first!.networkLength }),
    maxLength: first!.target.limits.text.max,
    counting: countingOf(first!.target.limits.text),
    parts: split.kind === 'thread' ? [...split.parts] : [first!.content],
  }));
}
