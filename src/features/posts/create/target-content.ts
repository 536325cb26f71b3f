import { inTurns, type Pausable } from '../../../foundation/text/in-turns.ts';
import { countText } from '../../../foundation/text/length.ts';
import { splitThread, type ThreadSplit } from '../../../foundation/text/split-thread.ts';
import { countHashtags, countLinks, countMentions } from '../../../foundation/text/tokens.ts';
import type { Limits } from '../../../platforms/kit/index.ts';
import type { Target } from './find-targets.ts';
import type { ThreadPart } from './thread-part.ts';

/** The text for one target, and how it is split if it becomes a thread there. */
export interface TargetContent extends TextFacts {
  readonly target: Target;
}

/** What the platform's limits make of a text. */
interface TextFacts {
  readonly content: string;
  readonly split: ThreadSplit;
  /** The length of the whole text, as the platform counts. */
  readonly length: number;
  /** By the platform's own count, where that differs from the rule. */
  readonly networkLength: number | null;
  /** The parts as they are stored before anything is published, as JSON. */
  readonly storedParts: string;
  /** The first of the author's own parts that are over the limit. */
  readonly oversized: readonly { index: number; length: number }[];
  /** The most in one post of the thread. */
  readonly most: { hashtags: number; mentions: number; links: number };
}

/** A text is split and counted once for all accounts with the same limits. */
export async function contentsFor(wanted: readonly { target: Target; content: string }[]): Promise<TargetContent[]> {
  const known = new Map<string, Map<string, TextFacts>>();
  const contents: TargetContent[] = [];
  for (const { target, content } of wanted) {
    const limits = JSON.stringify([target.limits.text, target.limits.threads]);
    const ofContent = known.get(content) ?? new Map<string, TextFacts>();
    known.set(content, ofContent);
    const facts = ofContent.get(limits) ?? (await inTurns(factsOf(content, target.limits)));
    ofContent.set(limits, facts);
    contents.push({ ...facts, target });
  }
  return contents;
}

/** What becomes of the text, once for all targets that treat it alike. */
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

function* factsOf(written: string, { text, threads }: Limits): Pausable<TextFacts> {
  const { max, unit, urlLength, shownUrlLength } = text;
  const split: ThreadSplit = threads
    ? yield* splitThread(written, { limit: max, unit, cuts: threads.cuts })
    : { kind: 'post', text: written };
  const content = split.kind === 'post' ? split.text : written;
  const count = (counted: string) => countText(counted, unit, urlLength === undefined ? {} : { urlLength });
  const oversized: { index: number; length: number }[] = [];
  if (split.kind === 'thread') {
    for (const index of split.oversized.slice(0, maxReported)) {
      oversized.push({ index, length: yield* count(split.parts[index]!) });
    }
  }
  const most = yield* mostTokens(split.kind === 'thread' ? split.parts : [content]);
  const length = yield* count(content);
  const networkLength =
    shownUrlLength === undefined ? null : yield* countText(content, unit, { urlLength: shownUrlLength });
  return {
    content,
    split,
    length,
    networkLength: networkLength === length ? null : networkLength,
    oversized,
    most,
    storedParts: yield* storedParts(split),
  };
}

/** A single post has no parts. */
function* storedParts(split: ThreadSplit): Pausable<string> {
  const texts: string[] = [];
  for (const [index, content] of (split.kind === 'thread' ? split.parts : []).entries()) {
    texts.push(JSON.stringify({ index, content, status: 'pending', publishedId: null } satisfies ThreadPart));
    yield;
  }
  return `[${texts.join(',')}]`;
}

/** Nobody reads more, and the answer lists them for each account. */
const maxReported = 20;

/** Each post of a thread has its own limits. */
function* mostTokens(texts: readonly string[]): Pausable<TextFacts['most']> {
  const most = { hashtags: 0, mentions: 0, links: 0 };
  for (const text of texts) {
    most.hashtags = Math.max(most.hashtags, yield* countHashtags(text));
    most.mentions = Math.max(most.mentions, yield* countMentions(text));
    most.links = Math.max(most.links, yield* countLinks(text));
    yield;
  }
  return most;
}
