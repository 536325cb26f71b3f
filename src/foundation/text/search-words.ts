import type { Pausable } from './in-turns.ts';

/**
 * The words by which a text is found. Case and accents do not count, and neither do the vowel signs of Arabic and Hebrew.
 * Scripts without spaces between words, such as Japanese and Thai, are stored as pairs of letters. An emoji is a word.
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

/** What a search looks for. A text is found if for each of these it has a word that begins with it. */
export function searchTerms(query: string): string[] {
  const terms = wordsIn(fold(query.slice(0, maxQuery))).flatMap((run) => (isUnspaced(run) ? pairs(run) : [cut(run)]));
  return [...new Set(terms)];
}

export const maxQuery = 200;

/** PostgreSQL stores at most a megabyte of words for a text. This is more than the longest text that people write has. */
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

/** In slices that end between two words, so that no word is cut unless it is longer than a slice. */
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

/** Combining accents, Hebrew points, Arabic vowel signs and the selectors of variants of emoji. */
const marks = /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|\ufe0e|\ufe0f/g;
/**
 * By way of capitals, because some small letters have the same capital: ß is like ss. The iota below a Greek letter is a
 * letter of its own in capitals.
 */
const fold = (text: string) =>
  text
    // To order thousands of marks on one letter takes long, and no language has as many.
    .replace(/(\p{M}{16})\p{M}+/gu, '$1')
    .normalize('NFKD')
    .replaceAll('\u0345', 'ι')
    .replace(marks, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC');

const cut = (word: string) => [...word].slice(0, maxWord).join('');

/** The last letter stands alone, so that a search for one letter finds it. */
const storedPairs = (word: string) => {
  const letters = [...word];
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''));
};
const pairs = (word: string) => {
  const stored = storedPairs(word);
  return stored.length === 1 ? stored : stored.slice(0, -1);
};
