import type { Pausable } from './in-turns.ts';

/**
 * The graphemes of a text, in order. Segmenting is slow, so only characters that may join their neighbours are
 * segmented. A grapheme longer than any language uses is split, which bounds all work on graphemes.
 */
export function* graphemesOf(text: string): Pausable<string[]> {
  const graphemes: string[] = [];
  let end = 0;
  for (const { index, 0: joined } of text.matchAll(joinedRun)) {
    for (const character of text.slice(end, index)) if (graphemes.push(character) % charactersPerPause === 0) yield;
    yield* segment(joined, graphemes);
    end = index + joined.length;
  }
  for (const character of text.slice(end)) if (graphemes.push(character) % charactersPerPause === 0) yield;
  return graphemes;
}

const charactersPerPause = 2048;
const longestGrapheme = 1024;

/** Segments a run in pieces. The last grapheme of a piece may continue, so the next piece starts with it. */
function* segment(run: string, graphemes: string[]): Pausable<void> {
  for (let at = 0; at < run.length; yield) {
    const end = at + longestGrapheme;
    const piece = end < run.length ? wholeCharacters(run.slice(at, end)) : run.slice(at);
    const segments = [...segmenter.segment(piece)];
    const isLast = at + piece.length === run.length;
    if (!isLast && segments.length > 1) segments.pop();
    for (const one of segments) {
      graphemes.push(one.segment);
      at += one.segment.length;
    }
  }
}

/** Drops the first half of a surrogate pair at the end. */
const wholeCharacters = (piece: string) =>
  piece.length > 1 && /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece;

/**
 * Whether a grapheme ends here. One of the neighbours must be white space or punctuation, so that only the neighbours
 * matter.
 */
export function isBoundary(text: string, at: number): boolean {
  const [before = ''] = text.slice(0, at).slice(-2).match(/.$/su) ?? [];
  const [after = ''] = text.slice(at, at + 2).match(/^./su) ?? [];
  return before === '' || after === '' || [...segmenter.segment(before + after)].length === 2;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Marks, joiners, flags, skin tones, CR, the letters of Hangul syllables and some rare ones. Two neighbours outside
 * this set are always separate graphemes.
 */
export const joining =
  '\\p{M}\\p{Cf}\\p{Cs}\\p{RI}\\p{Emoji_Modifier}\\r\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff\\u0d4e\\u0e33\\u0eb3' +
  '\\uff9e\\uff9f\\u{11000}-\\u{11fff}\\u{16d40}-\\u{16d7f}';

// Includes the character on either side. Starting a segmentation costs more than segmenting a few characters in
// between.
const joinedRun = new RegExp(`[^${joining}]?[${joining}](?:[^${joining}]{0,64}[${joining}])*[^${joining}]?`, 'gu');
