import { createHash } from 'node:crypto';
import { violation } from './invariants.ts';
import { type Action, next } from './model.ts';
import { initial, type Kind, keyOf, type Options, type State, ticks } from './state.ts';
import { isUrgent } from './world.ts';

/** The changes of a post and a step that the database shows. Everything else in the model is hidden. */
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
  /** Milliseconds by the database's clock. The age of a step counts from when it begins or is sent again. */
  at: number;
  /** Another post of the account had an open step since the previous event. */
  besideAnother?: boolean;
}

export interface Traced {
  kind: Kind;
  /** The post has other steps too. */
  hasMore: boolean;
  events: readonly Paced[];
}

/** An event, and the ticks since the previous one. */
export interface Paced extends Pick<Observed, 'action' | 'besideAnother'> {
  ticks: number;
}

/** Ticks count from the last request, as the wait does. */
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

/** How many of the events form the start of a path of the model. All of them, if the engine behaves like the model. */
export function matched({ kind, hasMore, events }: Traced): number {
  const options: Options = {
    workers: 2,
    lanes: [0],
    kind,
    equal: false,
    retries: 1,
    // The trace does not show them, so any number may have happened.
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

/** Renewing a claim before a late request changes the same column as a retry. */
const actionsOf = (action: Observable): readonly Action[] =>
  action === 'resend' ? ['resend', 'proveClaim'] : [action];

/** Crashes and suspensions are not counted. Equal states are one object, so that what follows them is computed once. */
function entry(state: State): [string, State] {
  const uncounted = { ...state, crashes: 9, suspensions: 9 };
  const key = keyOf(uncounted);
  const known = states.get(key) ?? uncounted;
  states.set(key, known);
  return [key, known];
}
const states = new Map<string, State>();

const shown: ReadonlySet<Action> = new Set([...observable, 'proveClaim', 'tick']);

interface Move {
  action: Action;
  key: string;
  state: State;
  /** Whether no invariant forbids the state. */
  isAllowed: boolean;
}

/** What can follow each state, for each set of options. */
const moves = new Map<string, Map<State, Move[]>>();

function movesFrom(state: State, options: Options): Move[] {
  const optionsKey = JSON.stringify(options);
  const known = moves.get(optionsKey) ?? new Map<State, Move[]>();
  moves.set(optionsKey, known);
  const found =
    known.get(state) ??
    next(state, options).map(({ label, state: reached }) => {
      const [key, to] = entry(reached);
      return { action: label.action, key, state: to, isAllowed: violation(to, options) === null };
    });
  known.set(state, found);
  return found;
}

/** Caches results: most traces start alike, and a waiting post cycles through the same states. */
const followed = new Map<string, Map<string, State>>();

/** All states that one of the actions leads to, after any hidden actions. */
function follow(from: Map<string, State>, actions: readonly Action[], options: Options): Map<string, State> {
  const key = `${digestOf(from)} ${JSON.stringify([actions, options])}`;
  const reached = followed.get(key) ?? same(after(hidden(from, options), actions, options));
  followed.set(key, reached);
  return reached;
}

/** A long wait reaches the same map again and again, and sorting its keys takes longer than everything else. */
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

/** The first map with these states, so that equal maps are kept once. */
function same(states: Map<string, State>): Map<string, State> {
  const digest = digestOf(states);
  const known = maps.get(digest) ?? states;
  maps.set(digest, known);
  return known;
}
const maps = new Map<string, Map<string, State>>();

/** All states reachable without an observable action. */
function hidden(from: Map<string, State>, options: Options): Map<string, State> {
  const reached = new Map(from);
  for (const state of reached.values())
    for (const move of movesFrom(state, options))
      if (!shown.has(move.action) && move.isAllowed) reached.set(move.key, move.state);
  return reached;
}

/** A tick that changes nothing is still a tick. */
function after(from: Map<string, State>, actions: readonly Action[], options: Options): Map<string, State> {
  const reached = new Map<string, State>();
  for (const [key, state] of from) {
    const taken = movesFrom(state, options).filter(({ action }) => actions.includes(action));
    for (const move of taken) reached.set(move.key, move.state);
    if (actions.includes('tick') && taken.length === 0 && !isUrgent(state)) reached.set(key, state);
  }
  return reached;
}
