import { copy, type Failure, type Options, type Post, type Run, type State, ticks } from './state.ts';

/** An action of a worker: a statement that commits, a call to the network, or a decision that follows from them. */
export type WorkerAction =
  | 'claim'
  | 'noPostDue'
  | 'releaseLane'
  | 'claimLost'
  | 'begin'
  | 'findOpenStep'
  | 'findEndedStep'
  | 'failBeforeStep'
  | 'evidenceFound'
  | 'nothingFound'
  | 'noEvidence'
  | 'end'
  | 'endTooLate'
  | 'wait'
  | 'sleep'
  | 'resend'
  | 'proveClaim'
  | 'send'
  | 'cannotSend'
  | 'timeout'
  | 'readFailure'
  | 'arrived'
  | 'discard'
  | 'retry'
  | 'lookOnceMore'
  | 'runAgain'
  | 'publish'
  | 'fail'
  | 'unknown';

export interface Move {
  action: WorkerAction;
  post: number | null;
  state: State;
}

type At<A extends Run['at']> = Extract<Run, { at: A }>;

/** One run, at one point of its code. */
interface Turn {
  state: State;
  options: Options;
  worker: number;
  lane: number;
  moves: Move[];
}

/** The next possible actions of a worker's run on one lane. */
export function runMoves(state: State, worker: number, lane: number, options: Options): Move[] {
  const run = state.workers[worker]?.runs[lane];
  if (!run) return [];
  const turn: Turn = { state, options, worker, lane, moves: [] };
  const place: (turn: Turn, run: never) => void = places[run.at];
  place(turn, run as never);
  return turn.moves;
}

/** The code of `publisher.ts`, `attempt.ts` and `steps.ts`, by place. */
const places: { [A in Run['at']]: (turn: Turn, run: At<A>) => void } = {
  next: claimNext,
  release: releaseLane,
  begin,
  find,
  adopt,
  sleep: (turn, { post, last, left }) => left === 0 && goTo(turn, 'lookOnceMore', { at: 'begin', post, last }),
  resend,
  send,
  answer,
  wait: (turn, { post, left }) => waitFor(turn, post, null, left),
  arrived: (turn, { post, waits }) =>
    changeOpenStep(turn, 'arrived', post, (row) => {
      row.step = { ended: false, age: ticks.wait };
      return waits ? { at: 'wait', post, left: waits } : { at: 'record', post, failure: 'passing', last: false };
    }),
  discard: (turn, { post, failure, last }) =>
    changeOpenStep(turn, 'discard', post, (row) => {
      row.step = null;
      return { at: 'record', post, failure, last };
    }),
  record,
  publish(turn, { post, id }) {
    fenced(turn, 'publish', post, (row) => endWith(row, { status: 'published', postedId: id }));
    if (turn.options.partOfMore) otherSteps(turn, post);
  },
};

/** Changes a copy of the state; the run continues with the value that `change` returns. */
function move(
  { state, worker, lane, moves }: Turn,
  action: WorkerAction,
  post: number | null,
  change: (next: State) => Run | null,
) {
  const next = copy(state);
  next.workers[worker]!.runs[lane] = change(next);
  moves.push({ action, post, state: next });
}

const goTo = (turn: Turn, action: WorkerAction, run: Run) =>
  move(turn, action, 'post' in run ? run.post : null, () => run);

/** A statement with `claim_token = …` in its condition. A run that has lost its claim continues with its lane. */
function fenced(turn: Turn, action: WorkerAction, post: number, change: (row: Post) => Run, isStep = false) {
  const { state, options, worker } = turn;
  const isOff = options.fault === 'no fence' || (options.fault === 'no fence on steps' && isStep);
  const isClaimed = state.posts[post]?.claim === worker;
  if (isClaimed || isOff) move(turn, action, post, (next) => change(next.posts[post]!));
  else move(turn, 'claimLost', post, () => ({ at: 'next' }));
}

/** The same for a change of the step, which must be open. */
function changeOpenStep(turn: Turn, action: WorkerAction, post: number, change: (row: Post) => Run) {
  const isOpen = turn.state.posts[post]?.step?.ended === false || turn.options.fault === 'no step before the request';
  if (isOpen) fenced(turn, action, post, change, true);
  else move(turn, 'claimLost', post, () => ({ at: 'next' }));
}

/** The lane's next due post. If there is none, or another worker has the lane, the run of the lane ends. */
function claimNext(turn: Turn) {
  const { state, options, worker, lane } = turn;
  if (state.lanes[lane]?.holder !== worker) return move(turn, 'releaseLane', null, () => null);
  const open = state.posts.flatMap(({ status, dueIn }, post) =>
    status === 'open' && options.lanes[post] === lane ? [{ post, dueIn }] : [],
  );
  const due = open.filter(({ dueIn }) => dueIn === 0);
  for (const { post } of due) {
    move(turn, 'claim', post, (next) => {
      next.posts[post]!.claim = worker;
      return { at: 'begin', post, last: null };
    });
  }
  if (due.length > 0) return;
  const first = open.length === 0 ? null : Math.min(...open.map(({ dueIn }) => dueIn));
  move(turn, 'noPostDue', null, () => ({ at: 'release', next: first, joined: false }));
}

/** The previous read may be outdated: a post that joined meanwhile has raised the version of the lane. */
function releaseLane(turn: Turn, { next: first, joined }: At<'release'>) {
  const { options, worker, lane } = turn;
  const isDue = joined && options.fault !== 'release without a version';
  move(turn, 'releaseLane', null, (next) => {
    if (next.lanes[lane]?.holder === worker) next.lanes[lane] = { holder: null, dueIn: isDue ? 0 : first };
    return null;
  });
}

/** `last`: the run that only asks, with the failure that the post ends with if nothing is found. */
function begin(turn: Turn, { post, last }: At<'begin'>) {
  const { state, options } = turn;
  const { step } = state.posts[post]!;
  if (last === null) failBeforeStep(turn, post);
  if (step?.ended) return fenced(turn, 'findEndedStep', post, () => ({ at: 'publish', post, id: step.id }), true);
  if (step) {
    const inFlight = Math.max(0, waitTicks(options) - step.age);
    return fenced(turn, 'findOpenStep', post, () => afterOpenStep(options, post, last, inFlight), true);
  }
  if (last !== null) {
    return fenced(turn, 'nothingFound', post, () => ({ at: 'record', post, failure: last, last: true }), true);
  }
  const start = (row: Post): Run => {
    if (options.fault !== 'no step before the request') row.step = { ended: false, age: 0 };
    return { at: 'send', post, mayDiscard: true, slept: false };
  };
  fenced(turn, 'begin', post, start, true);
}

/**
 * The credentials are rejected, the account is closed, or a file is missing: the adapter does not run, or not up to
 * this step.
 */
function failBeforeStep(turn: Turn, post: number) {
  goTo(turn, 'failBeforeStep', { at: 'record', post, failure: 'refused', last: false });
  goTo(turn, 'failBeforeStep', { at: 'record', post, failure: 'passing', last: false });
  if (turn.options.partOfMore) otherSteps(turn, post);
}

/** The consequence for a step that began and never ended. */
function afterOpenStep({ kind, fault }: Options, post: number, last: Failure | null, inFlight: number): Run {
  if (kind === 'replay' && last === null) return { at: 'resend', post, inFlight };
  if (fault === 'send again without asking') return { at: 'resend', post, inFlight: 0 };
  if (kind !== 'blind') return { at: 'find', post, last, inFlight };
  if (fault === 'send again what cannot be asked') return { at: 'resend', post, inFlight: 0 };
  return { at: 'record', post, failure: 'unknown', last: false };
}

function find(turn: Turn, { post, last, inFlight }: At<'find'>) {
  const { state, options } = turn;
  if (options.kind === 'tell') return repeatOrGiveUp(turn, post, last, inFlight);
  const fits = (of: number, id: number) => id < state.shown && (options.equal || of === post);
  const found = state.effects.flatMap((of, id) => (fits(of, id) ? [id] : []));
  if (found.length > 0) goTo(turn, 'evidenceFound', { at: 'adopt', post, last, inFlight, found });
  else nothingFound(turn, post, last, inFlight);
  // The network does not respond, or shows too little.
  if (last === null) goTo(turn, 'noEvidence', { at: 'record', post, failure: 'passing', last: false });
  goTo(turn, 'noEvidence', { at: 'record', post, failure: 'unknown', last: false });
}

/**
 * The network cannot be asked, but it rejects a repeat and names the existing post: for a while, and if a repeat is
 * allowed.
 */
function repeatOrGiveUp(turn: Turn, post: number, last: Failure | null, inFlight: number) {
  if (last === null) nothingFound(turn, post, last, inFlight);
  goTo(turn, 'noEvidence', { at: 'record', post, failure: 'unknown', last: false });
}

function nothingFound(turn: Turn, post: number, last: Failure | null, inFlight: number) {
  const mayArrive = inFlight > 0 && (turn.options.kind !== 'once' || last !== null);
  if (mayArrive) return waitFor(turn, post, last, inFlight);
  if (last === null) return goTo(turn, 'nothingFound', { at: 'resend', post, inFlight });
  goTo(turn, 'nothingFound', { at: 'discard', post, failure: last, last: true });
}

/** The post comes back later. Only the last run of a post waits itself. */
function waitFor(turn: Turn, post: number, last: Failure | null, left: number) {
  if (last !== null) return goTo(turn, 'sleep', { at: 'sleep', post, last, left });
  const dueIn = turn.options.comesBackAtOnce ? 0 : left;
  fenced(turn, 'wait', post, (row) => endWith(row, { dueIn }));
}

/**
 * In one transaction, under the lock of the account: takes the first effect that no other post owns. `isAnswered`: the
 * network named or created it in its response to a repeat, which is therefore no longer in flight.
 */
function adopt(turn: Turn, { post, last, inFlight, found, isAnswered }: At<'adopt'>) {
  const { state, options } = turn;
  const others = options.equal ? state.posts.filter((_, index) => index !== post) : [];
  const steps = others.flatMap(({ status, step }) => (status === 'open' && step ? [step] : []));
  const owned = [...others.map(({ postedId }) => postedId), ...steps.map((step) => (step.ended ? step.id : null))];
  const isCareless = options.fault === 'adopt what another post owns';
  const free = found.find((id) => isCareless || !owned.includes(id));
  const waitForOther = (left: number) =>
    isAnswered ? goTo(turn, 'readFailure', { at: 'arrived', post, waits: left }) : waitFor(turn, post, last, left);
  if (free === undefined && isAnswered) {
    return goTo(turn, 'readFailure', { at: 'discard', post, failure: 'refused', last: false });
  }
  if (free === undefined) return nothingFound(turn, post, last, inFlight);
  // A free effect may be one that another post is about to store as its own.
  const inDoubt = steps.flatMap((step) => (step.ended ? [] : [waitTicks(options) - step.age]));
  // If it belongs to the other post and this post's own request arrives later, one of the two would be sent once too
  // often.
  const own = options.fault === 'adopt while its own request is on its way' ? 0 : inFlight;
  const left = inDoubt.length === 0 ? 0 : Math.max(0, own, ...inDoubt);
  if (left > 0 && !isCareless) return waitForOther(left);
  if (options.besideAnother) waitForOther(1);
  changeOpenStep(turn, 'end', post, (row) => {
    row.step = { ended: true, id: free };
    return { at: 'publish', post, id: free };
  });
}

function resend(turn: Turn, { post, inFlight }: At<'resend'>) {
  const { kind, fault } = turn.options;
  // A rejected repeat says nothing about an earlier request that may have arrived or be in flight.
  const wasAsked = kind !== 'replay' && (kind !== 'tell' || fault === 'every refusal of a repeat tells');
  const mayDiscard = (wasAsked && inFlight === 0) || fault === 'refused repeat proves that nothing was done';
  changeOpenStep(turn, 'resend', post, (row) => {
    row.step = { ended: false, age: 0 };
    return { at: 'send', post, mayDiscard, slept: false, ...(hasOthers(turn.options) && { isRepeat: true }) };
  });
}

/** Another post may own the effect in the network's response to a repeat. */
const hasOthers = ({ equal, besideAnother }: Options) => equal || besideAnother !== undefined;

function send(turn: Turn, { post, mayDiscard, slept, ...kept }: At<'send'>) {
  const { options, worker } = turn;
  const proves =
    options.fault !== 'no proof after a suspension' && options.breach !== 'suspended before the first byte';
  if (slept && proves) {
    return changeOpenStep(turn, 'proveClaim', post, (row) => {
      // The request leaves now, so others have to wait for it from now on.
      if (options.fault !== 'late request keeps its old time') row.step = { ended: false, age: 0 };
      return { ...kept, at: 'send', post, mayDiscard, slept: false };
    });
  }
  move(turn, 'send', post, (next) => {
    next.requests.push({ post, age: 0, from: worker });
    return { ...kept, at: 'answer', post, mayDiscard, answer: null, isOver: false };
  });
  goTo(turn, 'cannotSend', { ...kept, at: 'answer', post, mayDiscard, answer: 'unsent', isOver: false });
}

function answer(turn: Turn, { post, mayDiscard, answer, isOver, isRepeat }: At<'answer'>) {
  const { state, options, worker } = turn;
  const own = state.requests.findIndex((one) => one.post === post && one.from === worker);
  const mayTimeOut = isOver || (state.requests[own]?.age ?? 0) >= ticks.timeLimit;
  if (mayTimeOut && (answer === null || typeof answer === 'object')) {
    move(turn, 'timeout', post, (next) => {
      const request = next.requests[own];
      if (request) request.from = null;
      return afterDoubt(options, post, false);
    });
  }
  if (answer === null) return;
  if (typeof answer === 'object' && isRepeat && options.kind !== 'replay') {
    const found = { at: 'adopt', post, last: null, inFlight: 0, found: [answer.ok], isAnswered: true } as const;
    return goTo(turn, 'evidenceFound', found);
  }
  if (typeof answer === 'object') return end(turn, post, answer.ok);
  if (answer === 'lost' || answer === 'error') {
    return goTo(turn, 'readFailure', afterDoubt(options, post, answer === 'error' && mayDiscard));
  }
  const failure = answer === 'refused' ? 'refused' : 'passing';
  goTo(turn, 'readFailure', { at: mayDiscard ? 'discard' : 'record', post, failure, last: false });
}

/** The network may have done it. `arrived`: it responded, and no earlier request is in flight. */
function afterDoubt({ kind, fault }: Options, post: number, arrived: boolean): Run {
  if (fault === 'discard after no answer') return { at: 'discard', post, failure: 'passing', last: false };
  if (kind === 'blind' && fault !== 'send again what cannot be asked')
    return { at: 'record', post, failure: 'unknown', last: false };
  return arrived ? { at: 'arrived', post } : { at: 'record', post, failure: 'passing', last: false };
}

/**
 * The network's effect is a fact, so it is stored even without the claim, unless the run that holds the claim repeats
 * the step.
 */
function end(turn: Turn, post: number, id: number) {
  const { state, options, worker } = turn;
  const { claim, step } = state.posts[post]!;
  const isClaimed = claim === worker;
  const mayStore = isClaimed || options.kind !== 'replay';
  const isStored = mayStore && (step?.ended === false || options.fault === 'no step before the request');
  move(turn, isStored ? 'end' : 'endTooLate', post, (next) => {
    if (isStored) next.posts[post]!.step = { ended: true, id };
    return isClaimed || options.fault === 'no fence' ? { at: 'publish', post, id } : { at: 'next' };
  });
}

/** The table of `failures.ts`, and the last question before a post is given up. */
function record(turn: Turn, { post, failure, last }: At<'record'>) {
  const { state, options } = turn;
  const { attempts, step } = state.posts[post]!;
  const finish = (status: 'failed' | 'unknown') =>
    fenced(turn, status === 'failed' ? 'fail' : 'unknown', post, (row) =>
      endWith(row, { status, retryable: failure === 'passing' }),
    );
  if (failure === 'unknown') return finish('unknown');
  if (failure === 'passing' && !last && attempts < options.retries) {
    const later = options.comesBackAtOnce ? {} : { attempts: attempts + 1, dueIn: attempts + 1 };
    fenced(turn, 'retry', post, (row) => endWith(row, later));
    if (!options.comesBackAtOnce) return;
  }
  // The credentials are renewed, and the adapter runs again.
  if (failure === 'refused' && !last) goTo(turn, 'runAgain', { at: 'begin', post, last: null });
  if (options.partOfMore) afterOtherSteps(turn, post);
  const careless = step?.ended ? 'fail although a step has ended' : 'fail while a step is open';
  const mustLook = step !== null && !last && options.fault !== careless;
  if (mustLook) goTo(turn, 'lookOnceMore', { at: 'begin', post, last: failure });
  if (mustLook && !options.partOfMore) return;
  finish('failed');
}

/** Another step of the same post fails, makes the post wait, or is the last one. */
function otherSteps(turn: Turn, post: number) {
  goTo(turn, 'failBeforeStep', { at: 'record', post, failure: 'passing', last: false });
  fenced(turn, 'publish', post, (row) => endWith(row, { status: 'published' }));
  afterOtherSteps(turn, post);
}

function afterOtherSteps(turn: Turn, post: number) {
  goTo(turn, 'runAgain', { at: 'begin', post, last: null });
  fenced(turn, 'wait', post, (row) => endWith(row, {}));
  fenced(turn, 'fail', post, (row) => endWith(row, { status: 'failed' }));
  fenced(turn, 'unknown', post, (row) => endWith(row, { status: 'unknown' }));
}

/** The run releases the post. */
function endWith(row: Post, change: Partial<Post>): Run {
  Object.assign(row, { ...change, claim: null });
  return { at: 'next' };
}

const waitTicks = ({ fault }: Options) => (fault === 'short wait' ? ticks.wait - 1 : ticks.wait);
