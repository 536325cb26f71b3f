import type { Random } from '../chaos/random.ts';
import { isEnd, violation } from './invariants.ts';
import { describe, next } from './model.ts';
import { initial, type Options } from './state.ts';

export interface Walks {
  steps: number;
  ended: number;
  violation: { what: string; trace: string[] } | null;
}

/** Random walks, for more workers, posts and faults than can be explored. */
export function walk(options: Options, walks: number, maxSteps: number, random: Random): Walks {
  let [steps, ended] = [0, 0];
  for (let count = 0; count < walks; count += 1) {
    let state = initial(options);
    const trace: string[] = [];
    while (trace.length < maxSteps && !isEnd(state)) {
      const moves = next(state, options);
      if (moves.length === 0)
        return { steps, ended, violation: { what: 'no end: nothing can happen any more', trace } };
      const { label, state: after } = random.pick(moves);
      trace.push(describe(label));
      state = after;
      steps += 1;
      const what = violation(state, options);
      if (what) return { steps, ended, violation: { what, trace } };
    }
    if (isEnd(state)) ended += 1;
  }
  return { steps, ended, violation: null };
}
