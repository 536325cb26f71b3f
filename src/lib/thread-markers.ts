import { trim } from './cut-text.ts';
import { graphemesOf } from './text-atoms.ts';

/**
 * The parts between lines of `---`, including the white space around them, or null without such a line. A line at the
 * very start or end of the text separates nothing and is ordinary text.
 */
export function separatedParts(trimmed: string): string[] | null {
  const parts = trimmed.split(/(?<=\n)---(?=\r?\n)/);
  return parts.length > 1 ? parts : null;
}

/**
 * The parts that end with the markers `[1/m] … [m/m]`, markers included. Null if the set is incomplete, out of order or
 * of mixed totals. Text after the last marker belongs to the last part, so that there are m parts. Null as well if a part
 * holds nothing but its marker, as in `[1/2] One [2/2] Two`, where markers begin the parts.
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
