import { toAtoms } from './atoms.ts';
import { cutAtoms, joinAtoms, type Part, type ThreadRules } from './cut-text.ts';
import type { Pausable } from './in-turns.ts';
import { countText } from './length.ts';
import { markedParts, maxParts, separatedParts, trim } from './thread-markers.ts';

export type { Cut, ThreadRules } from './cut-text.ts';
export { maxParts } from './thread-markers.ts';

export type ThreadSplit =
  /** One post. The text is as written, or trimmed if only trimming brings it within the limit. */
  | { kind: 'post'; text: string }
  /**
   * Two or more posts, including numbers. `oversized` holds the indexes of the author's own parts that exceed the
   * limit.
   */
  | { kind: 'thread'; parts: string[]; numbered: boolean; oversized: number[] }
  /** The text needs 1000 parts or more, or a single character exceeds the limit. */
  | { kind: 'too-long' };

/**
 * Splits a text into posts. The author's separators apply at any length: lines of `---`, or else markers `[1/m] …
 * [m/m]`. If a text has both, only the lines separate. A text without separators is split only if it exceeds the limit,
 * and its parts are numbered. Takes linear time for any text.
 */
export function* splitThread(text: string, rules: ThreadRules): Pausable<ThreadSplit> {
  const trimmed = trim(text);
  const separated = separatedParts(trimmed);
  if (separated) return yield* cutSeparated(separated, rules);
  const marked = markedParts(trimmed);
  if (marked) return yield* measureMarked(marked, rules);
  return yield* wholeOrNumbered(text, trimmed, rules);
}

function* cutSeparated(separated: readonly string[], rules: ThreadRules): Pausable<ThreadSplit> {
  if (separated.length > maxParts) return { kind: 'too-long' };
  const parts: Part[] = [];
  for (const text of separated) {
    parts.push(...(yield* cutAtoms(yield* toAtoms(text, rules.limit, rules), rules)));
  }
  return threadOf(parts, rules.limit);
}

function* measureMarked(marked: readonly string[], rules: ThreadRules): Pausable<ThreadSplit> {
  if (marked.length > maxParts) return { kind: 'too-long' };
  const parts: Part[] = [];
  for (const text of marked) parts.push({ text, length: yield* countText(text, rules) });
  return threadOf(parts, rules.limit);
}

/** For the author's own parts. */
function threadOf(parts: readonly Part[], limit: number): ThreadSplit {
  if (parts.length > maxParts) return { kind: 'too-long' };
  const oversized = [...parts.keys()].filter((i) => parts[i]!.length > limit);
  return { kind: 'thread', parts: parts.map((part) => part.text), numbered: false, oversized };
}

function* wholeOrNumbered(text: string, trimmed: string, rules: ThreadRules): Pausable<ThreadSplit> {
  const { limit } = rules;
  const room = limit - numberLength;
  const atoms = yield* toAtoms(trimmed, room, rules);
  if (joinAtoms(atoms, 0, atoms.length, rules).length <= limit) {
    return { kind: 'post', text: (yield* countText(text, rules)) <= limit ? text : trimmed };
  }
  const cut = yield* cutAtoms(atoms, { ...rules, limit: room });
  if (cut.length > maxParts) return { kind: 'too-long' };
  const numbers = cut.map((_, i) => ` (${i + 1}/${cut.length})`);
  return cut.every((part, i) => part.length + numbers[i]!.length <= limit)
    ? { kind: 'thread', parts: cut.map((part, i) => part.text + numbers[i]), numbered: true, oversized: [] }
    : { kind: 'too-long' };
}

/** Reserved in each part, because the number of parts is known only after the split. */
const numberLength = ` (${maxParts}/${maxParts})`.length;
