import type { Steps } from './in-turns.ts';

/** The graphemes of a text, in order. Only characters that may join their neighbours are segmented, which is slow. */
export function* graphemesOf(text: string): Steps<string[]> {
  const graphemes: string[] = [];
  let end = 0;
  for (const { index, 0: joined } of text.matchAll(joinedRun)) {
    for (const character of text.slice(end, index)) if (graphemes.push(character) % stepLength === 0) yield;
    for (const { segment } of segmenter.segment(joined)) if (graphemes.push(segment) % stepLength === 0) yield;
    end = index + joined.length;
  }
  for (const character of text.slice(end)) if (graphemes.push(character) % stepLength === 0) yield;
  return graphemes;
}

const stepLength = 2048;

/** Whether a grapheme ends here. One of the neighbours must be white space or punctuation, so that they alone decide. */
export function isBoundary(text: string, at: number): boolean {
  const [before = ''] = text.slice(0, at).slice(-2).match(/.$/su) ?? [];
  const [after = ''] = text.slice(at, at + 2).match(/^./su) ?? [];
  return before === '' || after === '' || [...segmenter.segment(before + after)].length === 2;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Marks, joiners, flags, skin tones, CR, the letters of Hangul syllables and some rare ones. Two neighbours that are not among
 * these are two graphemes.
 */
export const joining =
  '\\p{M}\\p{Cf}\\p{Cs}\\p{RI}\\p{Emoji_Modifier}\\r\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff\\u0d4e\\u0e33\\u0eb3' +
  '\\uff9e\\uff9f\\u{11000}-\\u{11fff}\\u{16d40}-\\u{16d7f}';

// With the character on either side. Starting a segmentation costs more than to segment a few characters between.
const joinedRun = new RegExp(`[^${joining}]?[${joining}](?:[^${joining}]{0,64}[${joining}])*[^${joining}]?`, 'gu');
