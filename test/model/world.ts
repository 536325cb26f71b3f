import { type Answer, copy, type Options, type State, ticks } from './state.ts';

/** Events that happen to workers, and actions of users, the network and time. */
export type WorldAction =
  | 'due'
  | 'claimLane'
  | 'leaseExpires'
  | 'cutOff'
  | 'suspend'
  | 'wake'
  | 'crash'
  | 'restart'
  | 'accept'
  | 'refuse'
  | 'fail5xx'
  | 'loseRequest'
  | 'show'
  | 'userRetries'
  | 'tick';

export interface WorldMove {
  action: WorldAction;
  worker: number | null;
  post: number | null;
  /** What happens to the response to an effect. */
  answer?: 'arrives' | 'lost' | 'says error' | 'nobody waits';
  state: State;
}

export function worldMoves(state: State, options: Options): WorldMove[] {
  return [
    ...postMoves(state, options),
    ...workerMoves(state, options),
    ...networkMoves(state, options),
    ...time(state, options),
  ];
}

function* postMoves(state: State, options: Options): Generator<WorldMove> {
  for (const [post, { status, retryable, step }] of state.posts.entries()) {
    const isScheduled = status === 'scheduled';
    const mayRetry = status === 'failed' && retryable && step?.ended !== false && state.userRetries > 0;
    if (!isScheduled && !mayRetry) continue;
    const next = copy(state);
    Object.assign(next.posts[post]!, { status: 'open', dueIn: 0, attempts: 0, retryable: false });
    if (mayRetry) next.userRetries -= 1;
    joinLane(next, options.lanes[post]!);
    yield { action: isScheduled ? 'due' : 'userRetries', worker: null, post, state: next };
  }
}

function joinLane(next: State, lane: number) {
  next.lanes[lane]!.dueIn = 0;
  for (const { runs } of next.workers) {
    const run = runs[lane];
    if (run?.at === 'release') runs[lane] = { ...run, joined: true };
  }
}

function* workerMoves(state: State, { fault }: Options): Generator<WorldMove> {
  const changed = (action: WorldAction, worker: number | null, change: (next: State) => void): WorldMove => {
    const next = copy(state);
    change(next);
    return { action, worker, post: null, state: next };
  };
  for (const [index, lane] of state.lanes.entries()) {
    const holder = typeof lane.holder === 'number' ? lane.holder : null;
    const isSilent = lane.holder === 'dead' || (holder !== null && state.workers[holder]?.mode === 'suspended');
    const free = (next: State) => {
      next.lanes[index]!.holder = null;
    };
    if (isSilent && fault !== 'no lease') yield changed('leaseExpires', holder, free);
    if (!isSilent && holder !== null && state.suspensions > 0) {
      yield changed('cutOff', holder, (next) => {
        next.suspensions -= 1;
        free(next);
      });
    }
    if (lane.holder !== null || lane.dueIn !== 0) continue;
    for (const [worker, { mode }] of state.workers.entries()) {
      if (mode !== 'up') continue;
      yield changed('claimLane', worker, (next) => {
        next.lanes[index]!.holder = worker;
        // A run of this worker that lost the lane but still continues now holds it again.
        next.workers[worker]!.runs[index] ??= { at: 'next' };
      });
    }
  }
  for (const [worker, { mode, runs }] of state.workers.entries()) {
    const isBusy = runs.some((run) => run !== null);
    if (mode === 'up' && isBusy && state.suspensions > 0)
      yield changed('suspend', worker, (next) => suspend(next, worker));
    if (mode !== 'down' && isBusy && state.crashes > 0) yield changed('crash', worker, (next) => crash(next, worker));
    if (mode === 'suspended') yield changed('wake', worker, (next) => setMode(next, worker, 'up'));
    if (mode === 'down') yield changed('restart', worker, (next) => setMode(next, worker, 'up'));
  }
}

function setMode(next: State, worker: number, mode: 'up' | 'suspended' | 'down') {
  next.workers[worker]!.mode = mode;
}

/** For any length of time: when it wakes up, its timeouts have expired and its last proof of the claim is old. */
function suspend(next: State, worker: number) {
  next.suspensions -= 1;
  setMode(next, worker, 'suspended');
  const { runs } = next.workers[worker]!;
  for (const [lane, run] of runs.entries()) {
    if (run?.at === 'send') runs[lane] = { ...run, slept: true };
    if (run?.at === 'answer') runs[lane] = { ...run, isOver: true };
  }
}

function crash(next: State, worker: number) {
  next.crashes -= 1;
  const { runs } = next.workers[worker]!;
  next.workers[worker] = { mode: 'down', runs: runs.map(() => null) };
  for (const post of next.posts) if (post.claim === worker) post.claim = null;
  for (const lane of next.lanes) if (lane.holder === worker) lane.holder = 'dead';
  for (const request of next.requests) if (request.from === worker) request.from = null;
}

function* networkMoves(state: State, { kind, breach, equal }: Options): Generator<WorldMove> {
  for (const [index, { post, from }] of state.requests.entries()) {
    const answered = (action: WorldAction, answer: Answer, effect: boolean, label?: WorldMove['answer']): WorldMove => {
      const next = copy(state);
      next.requests.splice(index, 1);
      if (effect) next.effects.push(post);
      if (breach !== 'the network shows a post late') next.shown = next.effects.length;
      if (from !== null) giveAnswer(next, from, post, answer);
      return { action, worker: from, post, ...(label && { answer: label }), state: next };
    };
    // A network that accepts a request once, ignores repeats, or names the existing post when it rejects them, never
    // repeats an effect.
    const isOnce = kind !== 'find' && kind !== 'blind';
    const isNamed = kind === 'tell' && equal && state.effects.length > 0;
    const before = isNamed ? 0 : isOnce ? state.effects.indexOf(post) : -1;
    const id = before === -1 ? state.effects.length : before;
    if (from === null) {
      yield answered('accept', 'lost', before === -1, 'nobody waits');
      continue;
    }
    // The text of another post is rejected too, but only a repeat may adopt the named post.
    if (isNamed && !isRepeat(state, from, post)) {
      yield answered('refuse', 'refused', false);
      yield answered('loseRequest', 'lost', false);
      continue;
    }
    yield answered('accept', { ok: id }, before === -1, 'arrives');
    yield answered('accept', 'lost', before === -1, 'lost');
    yield answered('accept', 'error', before === -1, 'says error');
    yield answered('refuse', 'refused', false);
    yield answered('fail5xx', 'error', false);
    yield answered('loseRequest', 'lost', false);
  }
  if (state.shown < state.effects.length) {
    yield { action: 'show', worker: null, post: null, state: { ...copy(state), shown: state.shown + 1 } };
  }
}

const isRepeat = ({ workers }: State, worker: number, post: number) =>
  workers[worker]?.runs.some((run) => run?.at === 'answer' && run.post === post && run.isRepeat) ?? false;

function giveAnswer(next: State, worker: number, post: number, answer: Answer) {
  const { runs } = next.workers[worker]!;
  const lane = runs.findIndex((run) => run?.at === 'answer' && run.post === post);
  const run = runs[lane];
  if (run?.at === 'answer') runs[lane] = { ...run, answer };
}

/**
 * A worker that is not suspended sends immediately after it has proven its claim, and its wait for a response times
 * out.
 */
export function isUrgent({ workers, requests }: State): boolean {
  const isUp = (worker: number | null) => worker !== null && workers[worker]?.mode === 'up';
  const isSending = workers.some(({ mode, runs }) => mode === 'up' && runs.some((run) => run?.at === 'send'));
  return isSending || requests.some(({ from, age }) => isUp(from) && age >= ticks.timeLimit);
}

/** Half a time limit passes. */
function* time(state: State, { breach }: Options): Generator<WorldMove> {
  if (isUrgent(state)) return;
  const next = copy(state);
  let isChanged = false;
  const count = <T extends number | null>(value: T, to: number, by: 1 | -1) => {
    if (value === null || value === to) return value;
    isChanged = true;
    return (value + by) as T;
  };
  for (const post of next.posts) {
    post.dueIn = count(post.dueIn, 0, -1);
    if (post.step?.ended === false) post.step = { ended: false, age: count(post.step.age, ticks.wait, 1) };
  }
  for (const lane of next.lanes) lane.dueIn = count(lane.dueIn, 0, -1);
  for (const { runs } of next.workers) {
    for (const [lane, run] of runs.entries()) {
      if (run?.at === 'release') runs[lane] = { ...run, next: count(run.next, 0, -1) };
      if (run?.at === 'sleep') runs[lane] = { ...run, left: count(run.left, 0, -1) };
    }
  }
  const life = ticks.requestLife + (breach === 'a request lives longer than the wait' ? 1 : 0);
  for (const request of next.requests) request.age = count(request.age, life, 1);
  next.requests = next.requests.filter(({ age }) => age < life);
  if (isChanged) yield { action: 'tick', worker: null, post: null, state: next };
}
