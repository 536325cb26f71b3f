import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { textLength } from '../../foundation/text/length.ts';
import { trimEnd } from '../../foundation/text/trim-end.ts';
import { handlePattern, isHandle } from './handle.ts';
import { topLevelDomains } from './top-level-domains.ts';

/** A part of the text that is a link, mention, hashtag or cashtag. Offsets are in UTF-8 bytes; the end is exclusive. */
export type Facet = { index: { byteStart: number; byteEnd: number }; features: [Feature] };
type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string };

/** The account of each handle. A handle that is missing here stays plain text. */
export type Dids = Record<string, string>;

/** Bluesky does not detect anything in a text itself, so every link, mention and tag has to be marked. */
export function facetsOf(text: string, dids: Dids): Facet[] {
  const facets: Facet[] = [];
  let last = { at: 0, bytes: 0 };
  for (const { start, end, ...token } of tokensIn(text)) {
    const byteStart = last.bytes + Buffer.byteLength(text.slice(last.at, start));
    const byteEnd = byteStart + Buffer.byteLength(text.slice(start, end));
    last = { at: end, bytes: byteEnd };
    const feature = featureOf(token, dids);
    if (feature) facets.push({ index: { byteStart, byteEnd }, features: [feature] });
  }
  return facets;
}

export function handlesIn(text: string): string[] {
  return [...new Set(tokensIn(text).flatMap((token) => (token.kind === 'mention' ? [token.handle] : [])))];
}

export function firstLinkIn(text: string): string | null {
  return tokensIn(text).find((token) => token.kind === 'link')?.uri ?? null;
}

type Place = { start: number; end: number };
type TokenKind = { kind: 'link'; uri: string } | { kind: 'mention'; handle: string } | { kind: 'tag'; tag: string };
type Token = Place & TokenKind;

function featureOf(token: TokenKind, dids: Dids): Feature | null {
  if (token.kind === 'link') return { $type: 'app.bsky.richtext.facet#link', uri: token.uri };
  if (token.kind === 'tag') return { $type: 'app.bsky.richtext.facet#tag', tag: token.tag };
  const did = Object.hasOwn(dids, token.handle) ? dids[token.handle] : undefined;
  return did ? { $type: 'app.bsky.richtext.facet#mention', did } : null;
}

/** Scans once from left to right, so that no two tokens overlap. */
function tokensIn(text: string): Token[] {
  return [...text.matchAll(anyToken)].flatMap(({ index, groups = {} }) => tokenAt(index, groups) ?? []);
}

function tokenAt(
  start: number,
  { link, bare, domain, handle, ticker, tag }: Record<string, string | undefined>,
): Token | null {
  if (link !== undefined) return linkAt(start, withoutSentence(link), '');
  if (bare !== undefined) return isDomain(domain ?? '') ? linkAt(start, withoutSentence(bare), 'https://') : null;
  if (handle !== undefined) return mentionAt(start, handle);
  if (ticker !== undefined) return cashtagAt(start, ticker);
  return tagAt(start, tag ?? '');
}

function linkAt(start: number, written: string, scheme: string): Token | null {
  const uri = scheme + written;
  return parseUrl(uri) ? { kind: 'link', start, end: start + written.length, uri } : null;
}

function mentionAt(start: number, written: string): Token | null {
  const handle = written.toLowerCase();
  return isHandle(handle) ? { kind: 'mention', start, end: start + 1 + written.length, handle } : null;
}

const maxTag = { graphemes: 64, bytes: 640 };
const punctuation = { has: (character: string) => /\p{P}/u.test(character) };

/** As in Bluesky's own app, trailing punctuation belongs to the sentence, and a number is not a hashtag. */
function tagAt(start: number, written: string): Token | null {
  const tag = trimEnd(written, punctuation);
  const isTag = /[^\d\p{P}]/u.test(tag);
  if (!isTag || textLength(tag, 'grapheme') > maxTag.graphemes || Buffer.byteLength(tag) > maxTag.bytes) return null;
  return { kind: 'tag', start, end: start + 1 + tag.length, tag };
}

/** Bluesky's own app treats `$aapl` and `$AAPL` as one tag, which starts with the dollar sign. */
function cashtagAt(start: number, ticker: string): Token | null {
  // With the `i` flag, Unicode counts the long s and the Kelvin sign as letters.
  if (!/^[A-Za-z0-9]+$/.test(ticker)) return null;
  return { kind: 'tag', start, end: start + 1 + ticker.length, tag: `$${ticker.toUpperCase()}` };
}

/** Requires a known top-level domain in lower case, because "the end.In short" only lacks a space. */
function isDomain(domain: string): boolean {
  return topLevelDomains.has(domain.slice(domain.lastIndexOf('.') + 1)) && isHandle(domain.toLowerCase());
}

/**
 * Removes characters that likely belong to the sentence: a full stop, a quotation mark, the bracket around the link.
 */
function withoutSentence(link: string): string {
  const closedTooOften = new Map<string, number>(
    brackets.map(([open, close]) => [close, count(link, close) - count(link, open)]),
  );
  for (let kept = trimEnd(link, sentenceMarks); ; kept = trimEnd(kept.slice(0, -1), sentenceMarks)) {
    const last = kept.at(-1) ?? '';
    const left = closedTooOften.get(last) ?? 0;
    if (left <= 0) return kept;
    closedTooOften.set(last, left - 1);
  }
}

const sentenceMarks = new Set(`.,;:!?'"’”»…`);
const brackets = [
  ['(', ')'],
  ['[', ']'],
] as const;
const count = (text: string, char: string) => text.split(char).length - 1;

// Chinese and Japanese use no spaces, and put their own punctuation after a link.
const linkChar = '[^\\s<>"\\u3000-\\u303f\\uff00-\\uffef]';
const link = `(?<![a-z0-9])(?<link>https?://[\\p{L}\\p{N}\\[]${linkChar}*)`;
const wordStart = `(?<=^|[\\s\\p{Ps}\\p{Pi}"'])`;
// An email address is not a link.
const bare = `${wordStart}(?<bare>(?<domain>[a-z][a-z0-9\\-]*(?:\\.[a-z0-9\\-]+)+)(?![\\w@]|\\.\\w)(?:(?::\\d+)?[\\/?#]${linkChar}*)?)`;
const mention = `${wordStart}@(?<handle>${handlePattern})(?![\\w@]|-\\w)`;
// The keycap emoji # is not a hashtag. A zero-width character ends a hashtag.
const tagChar = '[^\\s#＃\\u00ad\\u200b-\\u200d\\u2060\\u20e2\\u20e3]';
const tag = `${wordStart}[#＃](?!\\ufe0f)(?<tag>${tagChar}+)`;
// The same boundaries as in Bluesky's own library.
const cashtag = `(?<=^|[\\s(])\\$(?<ticker>[a-z][a-z0-9]{0,4})(?=$|[\\s.,;:!?)"'’])`;
const anyToken = new RegExp([link, bare, mention, cashtag, tag].join('|'), 'giu');
