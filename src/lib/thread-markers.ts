import { trim } from './cut-text.ts';
import { graphemesOf } from './text-atoms.ts';

/**
 * The parts between lines of `---`, with the white space around them; null without such a line. At the very start or
 * end of the text it separates nothing and is ordinary text.
 */
export function separatedParts(trimmed: string): string[] | null {
  const parts = trimmed.split(/(?<=\n)---(?=\r?\n)/);
  return parts.length > 1 ? parts : null;
}

/**
 * The parts that a complete set of markers `[1/m] … [m/m]` ends, markers included; null when the set is not complete, in
 * order and of one total. Text after the last marker belongs to the last part, so that m stays the number of parts. A
 * part of nothing but its marker is no part: who writes `[1/2] One [2/2] Two` begins parts with them.
 */
export function markedParts(trimmed: string): string[] | null {
  const markers = [...trimmed.matchAll(/\[([1-9]\d{0,3})\/([1-9]\d{0,3})\]/g)];
  const total = markers.length;
  if (total < 2 || markers.some(([, i, m], index) => Number(i) !== index + 1 || Number(m) !== total)) return null;

  const ends = markers.map((marker) => marker.index + marker[0].length);
  const graphemes = graphemesOf(trimmed);
  if (ends.some((end) => (graphemes.containing(end)?.index ?? end) !== end)) return null;
  const starts = [0, ...ends];
  if (markers.some((marker, i) => trimmed.slice(starts[i], marker.index).trim() === '')) return null;
  return markers.map((_, i) => trim(trimmed.slice(starts[i], i === total - 1 ? undefined : ends[i])));
}
