import { cutText, type ThreadRules, trim } from './cut-text.ts';
import { textLength } from './text-length.ts';
import { markedParts, separatedParts } from './thread-markers.ts';

export type { Cut, ThreadRules } from './cut-text.ts';

export type ThreadSplit =
  /** One post. The text is as written, or trimmed if only that brings it within the limit. */
  | { kind: 'post'; text: string }
  /** Two or more posts, numbers included. `oversized` holds the indexes of the author's own parts that are over the limit. */
  | { kind: 'thread'; parts: string[]; numbered: boolean; oversized: number[] }
  /** The text needs 1000 parts or more, or a single character is over the limit. */
  | { kind: 'too-long' };

/**
 * Splits a text into posts. The author's separators apply at any length: lines of `---`, or else markers
 * `[1/m] … [m/m]`. In a text with both, only the lines separate. A text without separators is split only when it is over
 * the limit, and its parts are numbered.
 */
export function splitThread(text: string, rules: ThreadRules): ThreadSplit {
  const trimmed = trim(text);
  const separated = separatedParts(trimmed);
  if (separated) return thread(separated.flatMap((part) => cutText(part, rules)));
  const marked = markedParts(trimmed);
  if (marked) return thread(marked);

  if (isWithin(text)) return { kind: 'post', text };
  if (isWithin(trimmed)) return { kind: 'post', text: trimmed };
  const parts = number(cutText(trimmed, { ...rules, limit: rules.limit - numberLength }));
  return parts.length <= maxNumber && parts.every(isWithin)
    ? { kind: 'thread', parts, numbered: true, oversized: [] }
    : { kind: 'too-long' };

  function thread(parts: string[]): ThreadSplit {
    return { kind: 'thread', parts, numbered: false, oversized: [...parts.keys()].filter((i) => !isWithin(parts[i]!)) };
  }

  function isWithin(part: string): boolean {
    return textLength(part, rules.unit) <= rules.limit;
  }
}

const maxNumber = 999;

/** Reserved in each part, because the number of parts is known only after the split. */
const numberLength = ` (${maxNumber}/${maxNumber})`.length;

function number(parts: string[]): string[] {
  return parts.map((part, i) => `${part} (${i + 1}/${parts.length})`);
}
