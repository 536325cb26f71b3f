import type { Pausable } from './in-turns.ts';
import { type Counting, countText } from './length.ts';
import { type Cut, splitThread, type ThreadSplit } from './split-thread.ts';
import { countHashtags, countLinks, countMentions } from './tokens.ts';

interface TextRules extends Counting {
  readonly max: number;
  /** The platform's own length for a link, if the rule counts links as written. */
  readonly shownUrlLength?: number;
  /** Null if texts never become threads. */
  readonly cuts: readonly Cut[] | null;
}

/** The result of applying a platform's rules to a text. */
export interface MeasuredText {
  /** As written, or trimmed if only that brings it within the limit. */
  readonly content: string;
  readonly split: ThreadSplit;
  /** The posts of a thread. A single post has none. */
  readonly parts: readonly string[];
  /** The length of the whole text, as the platform counts it. */
  readonly length: number;
  /** By the platform's own count, if that differs from the rule. */
  readonly networkLength: number | null;
  /** In UTF-8. */
  readonly bytes: number;
  /** The author's own parts that exceed the limit; only the first ones are listed. */
  readonly oversized: readonly { index: number; length: number }[];
  /** The maximum in any post of the thread. */
  readonly most: { hashtags: number; mentions: number; links: number };
}

/** Splits a text and counts everything that a platform limits. */
export function* measureText(written: string, rules: TextRules): Pausable<MeasuredText> {
  const { max, unit, urlLength, shownUrlLength, cuts } = rules;
  const split: ThreadSplit = cuts
    ? yield* splitThread(written, { limit: max, unit, urlLength, cuts })
    : { kind: 'post', text: written };
  const content = split.kind === 'post' ? split.text : written;
  const parts = split.kind === 'thread' ? split.parts : [];

  const count = (counted: string) => countText(counted, { unit, urlLength });
  const length = yield* count(content);
  const shownLength =
    shownUrlLength === undefined ? length : yield* countText(content, { unit, urlLength: shownUrlLength });
  const oversized: { index: number; length: number }[] = [];
  for (const index of split.kind === 'thread' ? split.oversized.slice(0, maxReported) : []) {
    oversized.push({ index, length: yield* count(parts[index]!) });
  }

  return {
    content,
    split,
    parts,
    length,
    networkLength: shownLength === length ? null : shownLength,
    bytes: Buffer.byteLength(content),
    oversized,
    most: yield* mostTokens(split.kind === 'thread' ? parts : [content]),
  };
}

/** No one reads more, and the response lists them for each account. */
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
