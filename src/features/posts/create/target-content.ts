import { Problem } from '../../../foundation/errors/index.ts';
import { inTurns, type Pausable } from '../../../foundation/text/in-turns.ts';
import { countText } from '../../../foundation/text/length.ts';
import { splitThread, type ThreadSplit } from '../../../foundation/text/split-thread.ts';
import { countHashtags, countLinks, countMentions } from '../../../foundation/text/tokens.ts';
import type { Limits } from '../../../platforms/kit/index.ts';
import type { NewTarget } from '../target-queries.ts';
import type { Target } from './find-targets.ts';

/** The text for one target: split where it becomes a thread, counted, and ready to be stored. */
export interface TargetContent extends MeasuredText {
  readonly target: Target;
  /** Whether the target has its own text, rather than that of the group. */
  readonly isOwn: boolean;
}

/** What the platform's limits make of a text. */
interface MeasuredText {
  readonly content: string;
  readonly split: ThreadSplit;
  /** The length of the whole text, as the platform counts. */
  readonly length: number;
  /** By the platform's own count, where that differs from the rule. */
  readonly networkLength: number | null;
  /** In UTF-8. */
  readonly bytes: number;
  /** The first of the author's own parts that are over the limit. */
  readonly oversized: readonly { index: number; length: number }[];
  /** The most in one post of the thread. */
  readonly most: { hashtags: number; mentions: number; links: number };
  /** The parts as they are stored before anything is published, as JSON. */
  readonly storedParts: string;
}

/** The texts of the targets that do not have that of the group, by connection id. */
export type OwnContent = Readonly<Record<string, string>>;

/** Throws if a text is for a connection that the post does not go to. */
export function requireKnown<T extends Readonly<Record<string, unknown>>>(sent: T, platformIds: readonly string[]): T {
  const unknown = Object.keys(sent).find((id) => !platformIds.includes(id));
  if (unknown === undefined) return sent;
  throw new Problem('platform_content_unknown', {
    error: `platformContent names ${unknown}, which is not in platforms`,
  });
}

/** Splits and counts each text once for all accounts with the same limits. Validation and storage only read the result. */
export async function contentsFor(
  targets: readonly Target[],
  groupContent: string,
  own: OwnContent,
): Promise<TargetContent[]> {
  const known = new Map<string, Map<string, MeasuredText>>();
  const contents: TargetContent[] = [];
  for (const target of targets) {
    const isOwn = Object.hasOwn(own, target.platformId);
    const written = isOwn ? own[target.platformId]! : groupContent;
    const limits = JSON.stringify([target.limits.text, target.limits.threads]);
    const ofText = known.get(written) ?? new Map<string, MeasuredText>();
    known.set(written, ofText);
    const measured = ofText.get(limits) ?? (await inTurns(measure(written, target.limits)));
    ofText.set(limits, measured);
    contents.push({ ...measured, target, isOwn });
  }
  return contents;
}

function* measure(written: string, { text, threads }: Limits): Pausable<MeasuredText> {
  const { max, unit, urlLength, shownUrlLength } = text;
  const split: ThreadSplit = threads
    ? yield* splitThread(written, { limit: max, unit, cuts: threads.cuts })
    : { kind: 'post', text: written };
  const content = split.kind === 'post' ? split.text : written;
  const parts = split.kind === 'thread' ? split.parts : [];

  const count = (counted: string) => countText(counted, unit, urlLength === undefined ? {} : { urlLength });
  const length = yield* count(content);
  const shownLength =
    shownUrlLength === undefined ? length : yield* countText(content, unit, { urlLength: shownUrlLength });
  const oversized: { index: number; length: number }[] = [];
  for (const index of split.kind === 'thread' ? split.oversized.slice(0, maxReported) : []) {
    oversized.push({ index, length: yield* count(parts[index]!) });
  }

  return {
    content,
    split,
    length,
    networkLength: shownLength === length ? null : shownLength,
    bytes: Buffer.byteLength(content),
    oversized,
    most: yield* mostTokens(split.kind === 'thread' ? parts : [content]),
    storedParts: yield* storedParts(parts),
  };
}

/** No one reads more, and the answer lists them for each account. */
const maxReported = 20;

/** Each post of a thread has its own limits. */
function* mostTokens(texts: readonly string[]): Pausable<MeasuredText['most']> {
  const most = { hashtags: 0, mentions: 0, links: 0 };
  for (const text of texts) {
    most.hashtags = Math.max(most.hashtags, yield* countHashtags(text));
    most.mentions = Math.max(most.mentions, yield* countMentions(text));
    most.links = Math.max(most.links, yield* countLinks(text));
    yield;
  }
  return most;
}

/** One post of a thread, as it is stored with its target and shown by get-post. A single post has no parts. */
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
  { target, content, isOwn, storedParts: threadParts }: TargetContent,
): NewTarget => ({
  id,
  connectionId: target.connection.id,
  platform: target.connection.platform,
  accountId: target.connection.accountId,
  content,
  contentOverridden: isOwn,
  threadParts,
});

/** What the caller is shown of the texts, once for all targets that treat one alike. */
export function checkedTexts(contents: readonly TargetContent[]) {
  const alike = Map.groupBy(contents, ({ split }) => split);
  return [...alike].map(([split, [first, ...others]]) => ({
    platforms: [first!, ...others].map(({ target }) => target.platformId),
    length: first!.length,
    ...(first!.networkLength !== null && { networkLength: first!.networkLength }),
    maxLength: first!.target.limits.text.max,
    parts: split.kind === 'thread' ? [...split.parts] : [first!.content],
  }));
}
