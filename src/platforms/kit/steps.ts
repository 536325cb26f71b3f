import type { Json } from '../../lib/json.ts';
import { PlatformError } from './failure.ts';
import { messages } from './messages.ts';
import type { Step, StepOptions } from './platform.ts';

/** Where steps are stored. Each call commits before it returns, and fails if this run no longer holds the post. */
export interface StepStore {
  /** Records that the effect is about to run. If an earlier run has recorded the step, returns that record instead. */
  begin(name: string): Promise<StepRecord | 'new'>;
  /**
   * Stores the result. A run that no longer holds the post stores only what cannot be repeated, because the run that holds
   * it now produces its own results for everything else.
   */
  finish(name: string, result: Json, isReplayable: boolean): Promise<void>;
  /** Records that the effect of a step that had begun before is about to run once more. */
  markResent(name: string): Promise<void>;
  /** Records that the request is no longer in flight: the platform has responded, if only with an error. */
  markArrived(name: string): Promise<void>;
  /** Deletes a step whose effect provably did not happen, so that a later run may try it. */
  discard(name: string): Promise<void>;
}
export type StepRecord =
  /** `msInFlight`: for how long the platform may still accept what an earlier run sent, although it does not show it yet. */
  { startedAt: Date; ended: false; msInFlight: number } | { startedAt: Date; ended: true; result: Json };

/** The one mechanism that keeps a post from being published twice. `Step` says what it promises. */
export function stepRunner(store: StepStore): Step {
  return async function step<T extends Json>(name: string, effect: () => Promise<T>, options: StepOptions<T> = {}) {
    const before = await store.begin(name);
    // A step stores what its effect returned, so its name implies the type.
    if (before !== 'new' && before.ended) return before.result as T;
    if (before !== 'new') {
      const found = options.replayable ? null : await resolve(name, before, options, store);
      if (found !== null) return found;
      await store.markResent(name);
    }
    const nothingThere = before === 'new' || !options.replayable;
    const result = await attempt(name, effect, options, store, nothingThere);
    await store.finish(name, result, options.replayable === true);
    return result;
  };
}

/** Thrown by `reconcilingRunner`: the step that had begun provably did not happen, and nothing was sent. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/** Runs no effect. The last run of a post that Crier gives up on uses it to learn whether the platform has the post. */
export function reconcilingRunner(store: StepStore): Step {
  return async function reconcile<T extends Json>(
    name: string,
    _effect: () => Promise<T>,
    options: StepOptions<T> = {},
  ) {
    const before = await store.begin(name);
    if (before !== 'new' && before.ended) return before.result as T;
    // A step that may be repeated and cannot be looked up, such as an upload, publishes nothing by itself.
    const showsNothing = before === 'new' || (options.replayable && !options.find);
    const found = showsNothing ? null : await resolve(name, before, { ...options, takenOnce: false }, store);
    if (found !== null) return found;
    await store.discard(name);
    throw new NothingFound();
  };
}

/** The result of a step that began and never ended, or null if it provably did nothing. */
async function resolve<T extends Json>(
  name: string,
  { startedAt, msInFlight }: { startedAt: Date; msInFlight: number },
  { find, replayable = false, takenOnce = false }: StepOptions<T>,
  store: StepStore,
) {
  const found = await find?.(startedAt);
  if (found === undefined) throw unknownOutcome();
  if (found !== null) await store.finish(name, found, replayable);
  else if (msInFlight > 0 && !takenOnce) throw new MaybeInFlight(msInFlight / 1000);
  return found;
}

async function attempt<T extends Json>(
  name: string,
  effect: () => Promise<T>,
  options: StepOptions<T>,
  store: StepStore,
  nothingThere: boolean,
) {
  try {
    return await effect();
  } catch (error) {
    const failure = error instanceof PlatformError ? error : null;
    if (failure && !failure.mayHaveHappened) {
      // A refused repeat proves nothing about the run before it, which may have succeeded.
      if (nothingThere) await store.discard(name);
    } else if (!options.replayable && !options.find) throw unknownOutcome(error);
    else if (failure && hasArrived(failure)) await store.markArrived(name);
    throw error;
  }
}

/** Gateways give up before the platform behind them does. Cloudflare uses the statuses from 520 on. */
const isGateway = (status: number) => [408, 502, 504].includes(status) || status >= 520;
const hasArrived = ({ status }: PlatformError) => status !== null && !isGateway(status);

const unknownOutcome = (cause?: unknown) =>
  new PlatformError('unknown_outcome', messages.outcomeUnknown, {
    cause,
    ...(cause instanceof PlatformError && { reason: cause.reason ?? cause.message, status: cause.status }),
  });

/** Not a failure: the post is run again later. Thrown by `until`. */
export class RetryLater extends Error {
  override name = 'RetryLater';
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Waiting ${seconds} s for the platform.`);
    this.seconds = seconds;
  }
}

/** What an earlier run sent may still arrive, so it proves nothing that the platform does not have it yet. */
export class MaybeInFlight extends RetryLater {
  override name = 'MaybeInFlight';
}

export async function until<T extends Json>(check: () => Promise<T | null>, seconds: number): Promise<T> {
  const answer = await check();
  if (answer === null) throw new RetryLater(seconds);
  return answer;
}
