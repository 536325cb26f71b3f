import type { Pausable } from './in-turns.ts';

/**
 * The search index words of a text. Case, accents and the vowel signs of Arabic and Hebrew are ignored. Scripts without
 * spaces between words, such as Japanese and Thai, are stored as pairs of letters. An emoji is a word.
 */
export function* searchWords(text: string): Pausable<string[]> {
  const words = new Set<string>();
  let size = 0;
  for (const run of yield* runsOf(text)) {
    yield;
    for (const word of isUnspaced(run) ? storedPairs(run) : [cut(run)]) {
      if (words.has(word)) continue;
      size += word.length;
      if (size > maxSize) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

/** The prefixes that a search looks for. A text matches if, for each of them, it has a word that starts with it. */
export function searchTerms(query: string): string[] {
  const terms = wordsIn(fold(query.slice(0, maxQuery))).flatMap((run) => (isUnspaced(run) ? pairs(run) : [cut(run)]));
  return [...new Set(terms)];
}

/**
 * Most posts have a word that starts with a given letter, and the index would read all of them. So a single letter
 * matches only as a word, except in scripts without spaces, which have thousands of letters.
 */
export const isPrefix = (term: string) => [...term].length > 1 || isUnspaced(term);

export const maxQuery = 200;

/** PostgreSQL stores at most a megabyte of words per text. This is more than the longest text that people write. */
const maxSize = 150_000;
const maxWord = 60;
const sliceLength = 5_000;

const anyLetter = String.raw`[\p{L}\p{N}\p{M}]`;
const unspacedScript = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
/** A flag is two regional indicators. */
const run = new RegExp(
  String.raw`[${anyLetter}&&${unspacedScript}]+|[${anyLetter}--${unspacedScript}]+|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`,
  'gv',
);
const isUnspaced = (word: string) => unspacedLetter.test(word);
const unspacedLetter = new RegExp(`^[${anyLetter}&&${unspacedScript}]`, 'v');

const wordsIn = (folded: string): string[] => folded.match(run) ?? [];

/** In slices that end between two words, so that no word is split unless it is longer than a slice. */
function* runsOf(text: string): Pausable<string[]> {
  const runs: string[] = [];
  for (let start = 0; start < text.length; ) {
    yield;
    const end = sliceEnd(text, start + sliceLength);
    runs.push(...wordsIn(fold(text.slice(start, end))));
    start = end;
  }
  return runs;
}

function sliceEnd(text: string, end: number): number {
  const space = text.slice(end, end + sliceLength).search(/[\s\p{P}]/u);
  return space === -1 ? Math.min(end + sliceLength, text.length) : end + space;
}

/** Combining accents, Hebrew points, Arabic vowel signs and emoji variation selectors. */
const marks = /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|\ufe0e|\ufe0f/g;
/**
 * Goes through capitals, because some small letters share a capital: ß matches ss. The iota below a Greek letter
 * becomes a separate letter in capitals.
 */
const fold = (text: string) =>
  text
    // Sorting thousands of marks on one letter is slow, and no language uses as many.
    .replace(/(\p{M}{16})\p{M}+/gu, '$1')
    .normalize('NFKD')
    .replaceAll('\u0345', 'ι')
    .replace(marks, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC');

const cut = (word: string) => [...word].slice(0, maxWord).join('');

/** The last letter is stored alone, so that a search for one letter finds it. */
const storedPairs = (word: string) => {
  const letters = [...word];
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''));
};
const pairs = (word: string) => {
  const stored = storedPairs(word);
  return stored.length === 1 ? stored : stored.slice(0, -1);
};
