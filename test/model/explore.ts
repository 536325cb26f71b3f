import { isEnd, isSettled, violation } from './invariants.ts';
import { describe, type Label, next } from './model.ts';
import { initial, keyOf, type Options, type State } from './state.ts';

export interface Exploration {
  states: number;
  transitions: number;
  /** Null if all states were visited and nothing is wrong. */
  violation: { what: string; trace: string[] } | null;
}

export class TooManyStates extends Error {
  override name = 'TooManyStates';
}

/**
 * Visits every reachable state, the nearest first, so that the trace to a violation is a shortest one. From each of them an
 * end has to be reachable: as there are finitely many states, a run that is not stopped for ever then comes to an end.
 * `wanted`: look only for violations that begin so.
 */
export function explore(options: Options, wanted = '', maxStates = 5_000_000): Exploration {
  const numbers = new Map<string, number>();
  /** Only those that are still to be visited are kept. */
  const states: (State | null)[] = [];
  const parents: number[] = [];
  const labels: (Label | null)[] = [];
  const [froms, tos]: [number[], number[]] = [[], []];
  const ends: number[] = [];

  const visit = (state: State, parent: number, label: Label | null): number => {
    const key = keyOf(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (states.length === maxStates) throw new TooManyStates(`more than ${maxStates} states`);
    numbers.set(key, states.length);
    parents.push(parent);
    labels.push(label);
    return states.push(state) - 1;
  };
  const traceTo = (number: number): string[] => {
    const trace: string[] = [];
    for (let at = number; labels[at]; at = parents[at]!) trace.unshift(describe(labels[at]!));
    return trace;
  };

  visit(initial(options), -1, null);
  for (let at = 0; at < states.length; at += 1) {
    const state = states[at]!;
    states[at] = null;
    const what = violation(state, options);
    if (what?.startsWith(wanted))
      return { states: states.length, transitions: froms.length, violation: { what, trace: traceTo(at) } };
    if (isEnd(state)) ends.push(at);
    if (isSettled(state)) continue;
    for (const { label, state: after } of next(state, options)) {
      froms.push(at);
      tos.push(visit(after, at, label));
    }
  }
  const stuck = firstWithoutEnd(states.length, froms, tos, ends);
  const what = 'no end: from here, no outcome can be reached';
  return {
    states: states.length,
    transitions: froms.length,
    violation: stuck === null ? null : { what, trace: traceTo(stuck) },
  };
}

/** The nearest state from which no end is reachable. */
function firstWithoutEnd(count: number, froms: number[], tos: number[], ends: number[]): number | null {
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
