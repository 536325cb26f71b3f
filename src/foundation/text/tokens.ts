import { finish, type Pausable } from './in-turns.ts';
import { trimEnd } from './trim-end.ts';

/** Finds links, mentions and hashtags in a text the way the platforms that limit their number do. */

/** Each link once, without the punctuation after it. */
export const linksIn = (text: string): string[] => [...finish(links(text))];
export const countLinks = (text: string): Pausable<number> => sizeOf(links(text));

/** A `#` or `@` inside a word or a link starts no token. */
export const hashtagsIn = (text: string): string[] => text.match(hashtag) ?? [];
export const countHashtags = (text: string): Pausable<number> => countMatches(text, hashtag);
export const mentionsIn = (text: string): string[] => text.match(mention) ?? [];
export const countMentions = (text: string): Pausable<number> => countMatches(text, mention);

const hashtag = /(?<![\w&/])[#＃][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu;
const mention = /(?<![\w./])@[\w.]+/g;

const punctuation = new Set(`.,;:!?'")]}`);

function* links(text: string): Pausable<Set<string>> {
  const found = new Set<string>();
  for (const [link] of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    found.add(trimEnd(link, punctuation));
    yield;
  }
  return found;
}

function* sizeOf(found: Pausable<Set<string>>): Pausable<number> {
  return (yield* found).size;
}

function* countMatches(text: string, pattern: RegExp): Pausable<number> {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count += 1;
    yield;
  }
  return count;
}
