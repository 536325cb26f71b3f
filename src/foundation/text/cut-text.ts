import { type Atom, lengthsAddUp } from './atoms.ts';
import type { Pausable } from './in-turns.ts';
import { type Counting, textLength } from './length.ts';

/** Where a text may be cut. `paragraph`: at an empty line, `line`: at a line break, `word`: at any white space. */
export type Cut = 'paragraph' | 'line' | 'sentence' | 'word';

export interface ThreadRules extends Counting {
  limit: number;
  /** In order of preference. A part without any of them is cut between two characters. */
  cuts: readonly Cut[];
}

export interface Part {
  text: string;
  length: number;
}

/** Splits atoms into parts within the limit, each as long as its best cut allows. Only white space at cuts is lost. */
export function* cutAtoms(atoms: readonly Atom[], rules: ThreadRules): Pausable<Part[]> {
  const ranks = yield* rankCuts(atoms, rules.cuts);
  const parts: Part[] = [];
  for (let start = skipBlanks(atoms, 0); start < atoms.length; ) {
    const { part, end } = cutPart(atoms, start, ranks, rules);
    parts.push(part);
    start = skipBlanks(atoms, end);
    yield;
  }
  return parts;
}

function skipBlanks(atoms: readonly Atom[], from: number): number {
  let at = from;
  while (atoms[at]?.isBlank) at += 1;
  return at;
}

/** For each atom, the rank of the cut after it: 0 is the best, `cuts.length` means none applies. */
function* rankCuts(atoms: readonly Atom[], cuts: readonly Cut[]): Pausable<Uint8Array> {
  const ranks = new Uint8Array(atoms.length);
  let gap = noGap;
  let after = '';
  for (let i = atoms.length - 1; i >= 0; i -= 1) {
    const { text, isBlank } = atoms[i]!;
    if (isBlank) {
      gap = { newlines: gap.newlines + (text.endsWith('\n') ? 1 : 0), breaks: gap.breaks || !noBreak.has(text) };
    } else {
      const place = { last: text.charAt(text.length - 1), gap, after };
      const rank = cuts.findIndex((cut) => fits[cut](place));
      ranks[i] = rank < 0 ? cuts.length : rank;
      gap = noGap;
    }
    after = text;
    if (i % 2048 === 0) yield;
  }
  return ranks;
}

interface Place {
  /** The last character before the cut. */
  last: string;
  /** The white space between them. */
  gap: { newlines: number; breaks: boolean };
  after: string;
}

const noGap = { newlines: 0, breaks: false };
const noBreak = new Set(['\u00a0', '\u2007', '\u202f', '\ufeff']);

const fits: Record<Cut, (place: Place) => boolean> = {
  paragraph: ({ gap }) => gap.newlines >= 2,
  line: ({ gap }) => gap.newlines >= 1,
  // Chinese and Japanese use no space after a sentence, and put closing quotes after the full stop.
  sentence: ({ last, gap, after }) =>
    '.!?'.includes(last) ? gap.breaks : '。！？'.includes(last) && !/^[\p{Pe}\p{Pf}。！？]/u.test(after),
  word: ({ gap }) => gap.breaks,
};

function cutPart(atoms: readonly Atom[], start: number, ranks: Uint8Array, rules: ThreadRules) {
  const { limit } = rules;
  for (let room = limit; ; ) {
    const end = endWithin(room, atoms, start, ranks);
    const part = joinAtoms(atoms, start, end, rules);
    if (part.length <= limit || end === start + 1) return { part, end };
    room = Math.floor((room * limit) / part.length);
  }
}

export function joinAtoms(atoms: readonly Atom[], start: number, end: number, counting: Counting): Part {
  let text = '';
  let length = 0;
  for (let i = start; i < end; i += 1) {
    text += atoms[i]!.text;
    length += atoms[i]!.length;
  }
  return { text, length: lengthsAddUp(counting) ? length : textLength(text, counting.unit, counting.urlLength) };
}

/** Finds the last of the best cuts that fit, or the end of the text. A part holds at least one atom. */
function endWithin(room: number, atoms: readonly Atom[], start: number, ranks: Uint8Array): number {
  let best = { end: start + 1, rank: Number.POSITIVE_INFINITY };
  let end = start;
  let used = 0;
  for (let i = start; i < atoms.length; i += 1) {
    const { length, isBlank } = atoms[i]!;
    used += length;
    if (isBlank) continue;
    if (used > room) return best.end;
    end = i + 1;
    if (ranks[i]! <= best.rank) best = { end, rank: ranks[i]! };
  }
  return end;
}
