import { graphemesOf } from './graphemes.ts';
import { finish, type Pausable } from './in-turns.ts';
import { normalizeText } from './normalize-text.ts';

/**
 * How a platform counts. `weighted`: a character of a light script counts 1, every other character and every emoji 2.
 * `fediverse`: graphemes, but a mention counts without its server.
 */
export const countingUnits = ['utf16', 'codepoint', 'grapheme', 'weighted', 'fediverse'] as const;
export type CountingUnit = (typeof countingUnits)[number];

export interface Counting {
  readonly unit: CountingUnit;
  /** The length that every link counts as. Without it, and in the first three units, links count as written. */
  readonly urlLength?: number | undefined;
}

export function textLength(text: string, unit: CountingUnit, urlLength?: number): number {
  return finish(countText(text, { unit, urlLength }));
}

/** Same, for a text that may be long. */
export function* countText(text: string, { unit, urlLength }: Counting): Pausable<number> {
  switch (unit) {
    case 'utf16':
      return text.length;
    case 'codepoint':
      return countCodePoints(text);
    case 'grapheme':
      return yield* countGraphemes(text);
    case 'weighted':
      return yield* countWithFixedLinks(text, urlLength, weigh);
    case 'fediverse':
      return yield* countWithFixedLinks(text, urlLength, (rest) => countGraphemes(withShortMentions(rest)));
  }
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function* countGraphemes(text: string): Pausable<number> {
  // In plain ASCII, only CR LF is a grapheme of two characters.
  return /^[\x20-\x7e\n\t]*$/.test(text) ? text.length : (yield* graphemesOf(text)).length;
}

/** Version 3 of X's counting. The ranges below count 1. */
function* weigh(text: string): Pausable<number> {
  // Weighing is far slower than a lookup, and a text repeats its characters.
  const known = new Map<string, number>();
  let weight = 0;
  for (const [i, grapheme] of (yield* graphemesOf(text)).entries()) {
    const own = known.get(grapheme) ?? weighGrapheme(normalizeText(grapheme));
    known.set(grapheme, own);
    weight += own;
    if (i % 2048 === 0) yield;
  }
  return weight;
}

function weighGrapheme(grapheme: string): number {
  if (/^\p{RGI_Emoji}$/v.test(grapheme)) return 2;
  let weight = 0;
  for (const char of grapheme) weight += isLight(char) ? 1 : 2;
  return weight;
}

const lightRanges = [
  [0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;

function isLight(char: string): boolean {
  const point = char.codePointAt(0) ?? 0;
  return lightRanges.some(([first, last]) => point >= first && point <= last);
}

/** Replaces each link with a single letter. A server chooses the length, so never build a text of that length. */
function* countWithFixedLinks(
  text: string,
  urlLength: number | undefined,
  count: (rest: string) => Pausable<number>,
): Pausable<number> {
  if (urlLength === undefined) return yield* count(text);
  let links = 0;
  const rest = text.replace(link, () => {
    links += 1;
    return 'x';
  });
  return (yield* count(rest)) + links * (urlLength - 1);
}

// As in Mastodon's StatusLengthValidator: `@ann@host.example` counts as `@ann`.
const withShortMentions = (text: string) => text.replace(mention, '@$1');

// A link needs a scheme and a host with a dot, does not follow a word, and does not include the punctuation after it.
const pathChar = '[^\\s<>()?]';
const inBrackets = `\\((?:${pathChar}|\\(${pathChar}*\\))*\\)`;
const link = new RegExp(
  [
    '(?<![a-z0-9@＠$#＃])https?://',
    '(?:[\\p{L}\\p{N}\\p{M}_-]+\\.)+(?:xn--[a-z0-9-]+|[\\p{L}\\p{M}]{2,})(?::\\d+)?',
    `(?:/(?:${pathChar}|${inBrackets})*(?<![!*"'「」;:=,.$%\\[\\]~&|@]))?`,
    '(?:\\?[^\\s<>"{}\\\\`]+(?<![?!*\'();:+$%\\[\\].,~|@^]))?',
  ].join(''),
  'giu',
);
const word = '[\\p{L}\\p{N}\\p{M}_]+';
const mention = new RegExp(
  `(?<![=/\\p{L}\\p{N}\\p{M}_])@([a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@${word}(?:[.-]+${word})*`,
  'giu',
);
