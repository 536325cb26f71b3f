import { violation } from './invariants.ts';
import { type Action, next } from './model.ts';
import { initial, type Kind, keyOf, type Options, type State, ticks } from './state.ts';
import { isUrgent } from './world.ts';

/** What the database shows of a post and one of its steps. Everything else in the model is hidden. */
export const observable = [
  'claim',
  'begin',
  'resend',
  'arrived',
  'end',
  'discard',
  'retry',
  'wait',
  'publish',
  'fail',
  'unknown',
] as const satisfies readonly Action[];
export type Observable = (typeof observable)[number];

export interface Observed {
  action: Observable;
  /** Milliseconds, by the clock of the database. */
  at: number;
}

export interface Traced {
  kind: Kind;
  /** The post has other steps, too. */
  hasMore: boolean;
  timeLimitMs: number;
  trace: readonly Observed[];
}

/** How many of the events are the beginning of a path of the model. All of them, if the engine behaves as the model does. */
export function matched({ kind, hasMore, timeLimitMs, trace }: Traced): number {
  const tickMs = timeLimitMs / ticks.timeLimit;
  const options: Options = {
    workers: 2,
    lanes: [0],
    kind,
    equal: false,
    retries: 1,
    // The trace does not tell them, so any number may have happened.
    crashes: 9,
    suspensions: 9,
    userRetries: 0,
    partOfMore: hasMore,
    comesBackAtOnce: true,
  };
  let states = new Map([entry(initial(options))]);
  let before = trace[0]?.at ?? 0;
  for (const [index, { action, at }] of trace.entries()) {
    for (let tick = tickOf(before, tickMs); tick < tickOf(at, tickMs); tick += 1) {
      states = after(hidden(states, options), 'tick', options);
    }
    states = after(hidden(states, options), action, options);
    if (states.size === 0) return index;
    before = Math.max(before, at);
  }
  return trace.length;
}

const tickOf = (at: number, tickMs: number) => Math.floor(at / tickMs);

/** Crashes and suspensions are not counted. */
const entry = (state: State): [string, State] => {
  const uncounted = { ...state, crashes: 9, suspensions: 9 };
  return [keyOf(uncounted), uncounted];
};

const shown: ReadonlySet<Action> = new Set([...observable, 'tick']);

/** All states that are reached without anything that the trace would show. */
function hidden(from: Map<string, State>, options: Options): Map<string, State> {
  const reached = new Map(from);
  for (const state of reached.values()) {
    for (const { label, state: to } of next(state, options)) {
      if (shown.has(label.action)) continue;
      const [key, uncounted] = entry(to);
      if (!reached.has(key) && violation(to, options) === null) reached.set(key, uncounted);
    }
  }
  return reached;
}

/** A tick that changes nothing is a tick, too. */
function after(from: Map<string, State>, action: Action, options: Options): Map<string, State> {
  const reached = new Map<string, State>();
  for (const [key, state] of from) {
    const moves = next(state, options).filter(({ label }) => label.action === action);
    for (const move of moves) reached.set(...entry(move.state));
    if (action === 'tick' && moves.length === 0 && !isUrgent(state)) reached.set(key, state);
  }
  return reached;
}
