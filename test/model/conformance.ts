import { createHash } from 'node:crypto';
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
  /** Milliseconds, by the clock of the database. A step that begins or is sent again is as old as this. */
  at: number;
  /** Since the event before, another post of the account had an open step. */
  besideAnother?: boolean;
}

export interface Traced {
  kind: Kind;
  /** The post has other steps, too. */
  hasMore: boolean;
  events: readonly Paced[];
}

/** An event, and how many ticks passed since the one before. */
export interface Paced extends Pick<Observed, 'action' | 'besideAnother'> {
  ticks: number;
}

/** Ticks are counted from the last request, as the wait is. */
export function pacesOf(trace: readonly Observed[], timeLimitMs: number): Paced[] {
  const tickMs = timeLimitMs / ticks.timeLimit;
  let before = trace[0]?.at ?? 0;
  let sentAt = before;
  return trace.map(({ action, at, besideAnother = false }) => {
    const ticksUntil = (time: number) => Math.floor((time - sentAt) / tickMs);
    const passed = Math.max(0, ticksUntil(at) - ticksUntil(before));
    before = Math.max(before, at);
    if (action === 'begin' || action === 'resend') sentAt = at;
    return { action, ticks: passed, besideAnother };
  });
}

/** How many of the events are the beginning of a path of the model. All of them, if the engine behaves as the model does. */
export function matched({ kind, hasMore, events }: Traced): number {
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
  for (const [index, { action, ticks, besideAnother = false }] of events.entries()) {
    const now: Options = { ...options, besideAnother };
    for (let passed = 0; passed < ticks; passed += 1) states = follow(states, ['tick'], now);
    states = follow(states, actionsOf(action), now);
    if (states.size === 0) return index;
  }
  return events.length;
}

/** A claim that is proven again before a late request changes the same column as a repeat. */
const actionsOf = (action: Observable): readonly Action[] =>
  action === 'resend' ? ['resend', 'proveClaim'] : [action];

/** Crashes and suspensions are not counted. */
const entry = (state: State): [string, State] => {
  const uncounted = { ...state, crashes: 9, suspensions: 9 };
  return [keyOf(uncounted), uncounted];
};

const shown: ReadonlySet<Action> = new Set([...observable, 'proveClaim', 'tick']);

/** What follows from the same states is the same: most traces begin alike, and a post that waits goes round in a circle. */
const followed = new Map<string, Map<string, State>>();

/** All states in which one of the actions leaves the model, with what the trace does not show before it. */
function follow(from: Map<string, State>, actions: readonly Action[], options: Options): Map<string, State> {
  const key = `${digestOf(from)} ${JSON.stringify([actions, options])}`;
  const reached = followed.get(key) ?? after(hidden(from, options), actions, options);
  followed.set(key, reached);
  return reached;
}

/** A long wait meets the same map again and again, and sorting its keys takes longer than everything else. */
const digests = new WeakMap<Map<string, State>, string>();

function digestOf(states: Map<string, State>): string {
  const known = digests.get(states);
  if (known) return known;
  const digest = createHash('sha256')
    .update(JSON.stringify([...states.keys()].sort()))
    .digest('base64');
  digests.set(states, digest);
  return digest;
}

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
function after(from: Map<string, State>, actions: readonly Action[], options: Options): Map<string, State> {
  const reached = new Map<string, State>();
  for (const [key, state] of from) {
    const moves = next(state, options).filter(({ label }) => actions.includes(label.action));
    for (const move of moves) reached.set(...entry(move.state));
    if (actions.includes('tick') && moves.length === 0 && !isUrgent(state)) reached.set(key, state);
  }
  return reached;
}
