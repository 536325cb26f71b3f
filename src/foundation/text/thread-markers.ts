import { isBoundary } from './graphemes.ts';

/** A thread has at most 999 posts, because a number has room for three digits. */
export const maxParts = 999;

/**
 * The parts between lines of `---`, including the white space around them, or null without such a line. A line at the
 * very start or end of the text separates nothing and is ordinary text.
 */
export function separatedParts(trimmed: string): string[] | null {
  const parts = trimmed.split(/(?<=\n)---(?=\r?\n)/);
  return parts.length > 1 ? parts.filter((part) => part.trim() !== '') : null;
}

/**
 * The parts of a text with markers `[1/m] … [m/m]`, including the markers. A marker ends its part. If the text starts
 * with the first marker, as in `[1/2] One [2/2] Two`, each marker starts its part. Null if the set is incomplete, out
 * of order or has mixed totals, or if a part holds nothing but its marker. There are m parts: text after the last
 * marker belongs to the last one.
 */
export function markedParts(trimmed: string): string[] | null {
  const markers = [...trimmed.matchAll(/\[([1-9]\d{0,3})\/([1-9]\d{0,3})\]/g)];
  const total = markers.length;
  if (total < 2 || markers.some(([, i, m], index) => Number(i) !== index + 1 || Number(m) !== total)) return null;

  const starts = markers.map(({ index }) => index);
  const ends = markers.map((marker) => marker.index + marker[0].length);
  const markersLead = starts[0] === 0;
  if (!(markersLead ? starts : ends).every((place) => isBoundary(trimmed, place))) return null;
  const texts = markers.map((_, i) =>
    markersLead ? trimmed.slice(ends[i], starts[i + 1]) : trimmed.slice(ends[i - 1] ?? 0, starts[i]),
  );
  if (texts.some((text) => text.trim() === '')) return null;
  const cuts = markersLead ? starts : [0, ...ends.slice(0, -1)];
  return cuts.map((cut, i) => trim(trimmed.slice(cut, cuts[i + 1])));
}

/**
 * Removes white space at both ends, except a space that carries a combining mark or belongs to the character before it.
 */
export function trim(text: string): string {
  let start = text.length - text.trimStart().length;
  if (start === text.length) return '';
  if (!isBoundary(text, start)) start -= 1;
  let end = text.trimEnd().length;
  if (!isBoundary(text, end)) end += 1;
  return text.slice(start, end);
}
