/** Durations in ticks of half a request timeout: 30 seconds in production. */
export const ticks = {
  /** The client gives up on a request. */
  timeLimit: 2,
  /** From this age on, the network no longer accepts a request. */
  requestLife: 3,
  /** The wait of decision 3: from this age on, a step whose effect is not found is sent again. */
  wait: 3,
} as const;

/**
 * What a later run can learn about a step that never ended. `find`: the network is asked. `once`: the network is asked,
 * and accepts the request only once. `replay`: the network ignores a repeat. `tell`: it rejects a repeat and names the
 * existing post. `blind`: nothing.
 */
export type Kind = 'find' | 'once' | 'replay' | 'tell' | 'blind';

/** Deliberate omissions from the model. Each is a mistake that the engine does not make. */
export const faultNames = [
  'no fence',
  'no fence on steps',
  'short wait',
  'send again without asking',
  'no step before the request',
  'no proof after a suspension',
  'late request keeps its old time',
  'send again what cannot be asked',
  'fail while a step is open',
  'fail although a step has ended',
  'adopt what another post owns',
  'adopt while its own request is on its way',
  'discard after no answer',
  'refused repeat proves that nothing was done',
  'every refusal of a repeat tells',
  'release without a version',
  'no lease',
] as const;
export type Fault = (typeof faultNames)[number];

/** The engine's assumptions about the world. Without any one of them, its guarantees fail. */
export const breachNames = [
  'a request lives longer than the wait',
  'the network shows a post late',
  'suspended before the first byte',
] as const;
export type Breach = (typeof breachNames)[number];

export interface Options {
  workers: number;
  /** The lane of each post. */
  lanes: readonly number[];
  kind: Kind;
  /** The posts go to one account, and the network cannot tell them apart. */
  equal: boolean;
  /** How often a temporary failure is retried before the post fails. */
  retries: number;
  crashes: number;
  /** A worker is suspended, or cut off from the database, so that it loses its lanes. */
  suspensions: number;
  /** How often the user retries a failed post. */
  userRetries: number;
  fault?: Fault;
  breach?: Breach;
  /** For traces of the real engine: the post also has other steps, which may fail or wait. */
  partOfMore?: boolean;
  /**
   * For such traces, because their clock runs faster than the database's: posts come back immediately, any number of
   * times.
   */
  comesBackAtOnce?: boolean;
  /** For such traces, which show only one post: another post of the account may be in doubt. */
  besideAnother?: boolean;
}

export type Outcome = 'published' | 'failed' | 'unknown';

/** A row of `platform_posts`, with the one step of the post. */
export interface Post {
  status: 'scheduled' | 'open' | Outcome;
  /** The effect that is reported to the user. */
  postedId: number | null;
  /** The worker whose run holds the claim token. */
  claim: number | null;
  dueIn: number;
  attempts: number;
  retryable: boolean;
  step: Step | null;
}
export type Step = { ended: false; age: number } | { ended: true; id: number };

/** A row of `publish_lanes`. The holder is `dead` until its lease has expired. */
export interface Lane {
  holder: number | 'dead' | null;
  dueIn: number | null;
}

export type Failure = 'passing' | 'refused' | 'unknown';
export type Answer = { ok: number } | 'refused' | 'error' | 'lost' | 'unsent';

/** The activity of one lane of a worker: the code of `publisher.ts` and `attempt.ts`, by the point it has reached. */
export type Run =
  | { at: 'next' }
  | { at: 'release'; next: number | null; joined: boolean }
  | { at: 'begin'; post: number; last: Failure | null }
  | { at: 'find'; post: number; last: Failure | null; inFlight: number }
  | { at: 'adopt'; post: number; last: Failure | null; inFlight: number; found: readonly number[]; isAnswered?: true }
  | { at: 'wait'; post: number; left: number }
  | { at: 'sleep'; post: number; last: Failure; left: number }
  | { at: 'resend'; post: number; inFlight: number }
  | { at: 'send'; post: number; mayDiscard: boolean; slept: boolean; isRepeat?: true }
  | { at: 'answer'; post: number; mayDiscard: boolean; answer: Answer | null; isOver: boolean; isRepeat?: true }
  /** `waits`: how long the post then waits for an equal one. */
  | { at: 'arrived'; post: number; waits?: number }
  | { at: 'discard'; post: number; failure: Failure; last: boolean }
  | { at: 'record'; post: number; failure: Failure; last: boolean }
  | { at: 'publish'; post: number; id: number };

export interface Worker {
  mode: 'up' | 'suspended' | 'down';
  /** By lane. */
  runs: (Run | null)[];
}

/** In flight to the network, or being processed there. */
export interface Request {
  post: number;
  age: number;
  /** The worker that waits for the response. */
  from: number | null;
}

export interface State {
  posts: Post[];
  lanes: Lane[];
  workers: Worker[];
  requests: Request[];
  /** The network's effects: for each id, the post it was done for. */
  effects: number[];
  /** How many of the effects are visible on the network. */
  shown: number;
  crashes: number;
  suspensions: number;
  userRetries: number;
}

export const isEnded = ({ status }: Post) => status !== 'scheduled' && status !== 'open';

export function initial({ workers, lanes, crashes, suspensions, userRetries }: Options): State {
  const laneCount = Math.max(...lanes) + 1;
  return {
    posts: lanes.map(() => ({
      status: 'scheduled',
      postedId: null,
      claim: null,
      dueIn: 0,
      attempts: 0,
      retryable: false,
      step: null,
    })),
    lanes: Array.from({ length: laneCount }, () => ({ holder: null, dueIn: null })),
    workers: Array.from({ length: workers }, () => ({
      mode: 'up',
      runs: Array.from({ length: laneCount }, () => null),
    })),
    requests: [],
    effects: [],
    shown: 0,
    crashes,
    suspensions,
    userRetries,
  };
}

/** Runs, steps and responses are replaced and never changed, so a copy shares them. */
export const copy = (state: State): State => ({
  ...state,
  posts: state.posts.map((post) => ({ ...post })),
  lanes: state.lanes.map((lane) => ({ ...lane })),
  workers: state.workers.map(({ mode, runs }) => ({ mode, runs: [...runs] })),
  requests: state.requests.map((request) => ({ ...request })),
  effects: [...state.effects],
});

/** A short text that is equal for equal states, and for states that differ only in the order of workers. */
export function keyOf({ posts, lanes, workers, requests, effects, shown, ...left }: State): string {
  let key = `${left.crashes}.${left.suspensions}.${left.userRetries}.${effects.join('')}.${shown}`;
  for (const { status, postedId, dueIn, attempts, retryable, step } of posts) {
    key += `|${status[0]}${postedId ?? '-'}${dueIn}${attempts}${retryable ? 'r' : ''}`;
    key += step === null ? '' : step.ended ? `e${step.id}` : `a${step.age}`;
  }
  for (const { holder, dueIn } of lanes) key += `|${holder === 'dead' ? '+' : ''}${dueIn ?? '-'}`;
  // Everything that names a worker is grouped with that worker.
  const own = workers.map(({ mode, runs }, worker) => {
    let text = `${mode[0]}${requestsKey(requests, worker)}`;
    for (const [lane, { holder }] of lanes.entries()) if (holder === worker) text += `l${lane}`;
    for (const [post, { claim }] of posts.entries()) if (claim === worker) text += `c${post}`;
    for (const run of runs) text += run === null ? '.' : `,${runKey(run)}`;
    return text;
  });
  return `${key}|${requestsKey(requests, null)}|${own.sort().join('|')}`;
}

/** The order of requests in flight has no meaning. */
function requestsKey(requests: readonly Request[], worker: number | null): string {
  if (requests.length === 0) return '';
  const own = requests.flatMap(({ post, age, from }) => (from === worker ? [`${post}${age}`] : []));
  return own.sort().join();
}

function runKey(run: Run): string {
  let key = '';
  for (const value of Object.values(run)) key += ` ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  return key;
}
