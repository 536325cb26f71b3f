import { isEnd, isSettled, violation } from './invariants.ts';
import { describe, next } from './model.ts';
import { initial, keyOf, type Options, type State } from './state.ts';
import { numberList, stateNumbers } from './state-numbers.ts';

export interface Exploration {
  states: number;
  transitions: number;
  /** Null if all states were visited without a violation. */
  violation: { what: string; trace: string[] } | null;
}

export interface Limits {
  /** Only look for violations that start with this text. */
  wanted?: string;
  maxStates?: number;
  onProgress?(seen: number, visited: number): void;
}

export class TooManyStates extends Error {
  override name = 'TooManyStates';
}

/**
 * Visits every reachable state in breadth-first order, so that the trace to a violation is a shortest one. An end must
 * be reachable from each state: since there are finitely many, a run that is not stopped forever then reaches an end.
 */
export function explore(options: Options, limits: Limits = {}): Exploration {
  const { wanted = '', maxStates = 5_000_000, onProgress = () => {} } = limits;
  const numbers = stateNumbers();
  /** States still to visit, from the number `visited` on. */
  const waiting: (State | null)[] = [];
  const [parents, ways] = [numberList(), numberList()];
  const [froms, tos] = [numberList(), numberList()];
  const ends: number[] = [];
  /** Descriptions of transitions: few texts for many states. */
  const texts = new Map<string, number>();

  const visit = (state: State, parent: number, way: string): number => {
    const { number, isNew } = numbers.of(keyOf(state));
    if (!isNew) return number;
    if (number === maxStates) throw new TooManyStates(`more than ${maxStates} states`);
    if (!texts.has(way)) texts.set(way, texts.size);
    parents.push(parent);
    ways.push(texts.get(way)!);
    waiting.push(state);
    return number;
  };
  const traceTo = (number: number): string[] => {
    const words = [...texts.keys()];
    const trace: string[] = [];
    for (let at = number; at > 0; at = parents.at(at)) trace.unshift(words[ways.at(at)]!);
    return trace;
  };
  const counts = () => ({ states: numbers.size(), transitions: froms.length() });

  visit(initial(options), 0, '');
  for (let at = 0; at < numbers.size(); at += 1) {
    const state = waiting[at]!;
    waiting[at] = null;
    if (at % 1_000_000 === 0) onProgress(numbers.size(), at);
    const what = violation(state, options);
    if (what?.startsWith(wanted)) return { ...counts(), violation: { what, trace: traceTo(at) } };
    if (isEnd(state)) ends.push(at);
    if (isSettled(state)) continue;
    for (const { label, state: after } of next(state, options)) {
      froms.push(at);
      tos.push(visit(after, at, describe(label)));
    }
  }
  const stuck = firstWithoutEnd(numbers.size(), froms.all(), tos.all(), ends);
  const what = 'no end: from here, no outcome can be reached';
  return { ...counts(), violation: stuck === null ? null : { what, trace: traceTo(stuck) } };
}

/** The nearest state from which no end is reachable. */
function firstWithoutEnd(count: number, froms: Uint32Array, tos: Uint32Array, ends: number[]): number | null {
  const starts = new Uint32Array(count + 1);
  for (const to of tos) starts[to + 1]! += 1;
  for (let at = 0; at < count; at += 1) starts[at + 1]! += starts[at]!;
  const before = new Uint32Array(tos.length);
  const filled = starts.slice();
  for (const [edge, to] of tos.entries()) before[filled[to]!++] = froms[edge]!;
  const reaches = new Uint8Array(count);
  for (const end of ends) reaches[end] = 1;
  for (const at of ends) {
    for (let edge = starts[at]!; edge < starts[at + 1]!; edge += 1) {
      const from = before[edge]!;
      if (reaches[from]) continue;
      reaches[from] = 1;
      ends.push(from);
    }
  }
  const stuck = reaches.indexOf(0);
  return stuck === -1 ? null : stuck;
}
