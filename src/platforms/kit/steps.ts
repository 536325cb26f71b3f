import type { Json } from '../../lib/json.ts';
import { PlatformError } from './failure.ts';
import type { Step, StepOptions } from './platform.ts';

/** Where steps are kept. Each call commits before it returns, and fails if this run no longer holds the post. */
export interface StepStore {
  /** Notes that the effect is about to run, unless an earlier run has noted something already: then answers that. */
  begin(name: string): Promise<StepRecord | 'new'>;
  /**
   * Keeps the result. Of a run that no longer holds the post only what cannot be repeated is kept: of the rest the new run
   * has, or will have, a result of its own.
   */
  finish(name: string, result: Json, isReplayable: boolean): Promise<void>;
  /** Notes that the effect of a step found begun is about to run once more. */
  again(name: string): Promise<void>;
  /** Notes that what was sent is no longer on its way: the network has answered, if not well. */
  arrived(name: string): Promise<void>;
  /** Forgets a step whose effect provably did not happen, so that a later run may try it. */
  forget(name: string): Promise<void>;
}
export type StepRecord =
  /** `msInFlight`: for so long yet the network may take what the run before has sent, although it does not show it now. */
  { startedAt: Date; ended: false; msInFlight: number } | { startedAt: Date; ended: true; result: Json };

/** The one mechanism behind "never twice": see `Step` for what it promises. */
export function stepRunner(store: StepStore): Step {
  return async function step<T extends Json>(name: string, effect: () => Promise<T>, options: StepOptions<T> = {}) {
    const before = await store.begin(name);
    // What this step stored is what its effect returned: the name carries the type.
    if (before !== 'new' && before.ended) return before.result as T;
    if (before !== 'new') {
      const found = options.replayable ? null : await resolve(name, before, options, store);
      if (found !== null) return found;
      await store.again(name);
    }
    const nothingThere = before === 'new' || !options.replayable;
    const result = await attempt(name, effect, options, store, nothingThere);
    await store.finish(name, result, options.replayable === true);
    return result;
  };
}

/** Thrown by `settlingRunner`: what had been begun provably did not happen, and nothing further was. */
export class NothingFound extends Error {
  override name = 'NothingHappened';
}

/** Looks only, and does nothing: the last run at a post that we give up on, to learn whether the network has it. */
export function reconcilingRunner(store: StepStore): Step {
  return async function reconcile<T extends Json>(
    name: string,
    _effect: () => Promise<T>,
    options: StepOptions<T> = {},
  ) {
    const before = await store.begin(name);
    if (before !== 'new' && before.ended) return before.result as T;
    // What may be repeated and cannot be asked about, such as an upload, shows nothing by itself.
    const showsNothing = before === 'new' || (options.replayable && !options.find);
    const found = showsNothing ? null : await resolve(name, before, { ...options, takenOnce: false }, store);
    if (found !== null) return found;
    await store.forget(name);
    throw new NothingFound();
  };
}

/** What a step that began and never ended has done: its result, or null if that is provably nothing. */
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
      // The refusal of a repeat says nothing of the run before it: that one may have happened.
      if (nothingThere) await store.forget(name);
    } else if (!options.replayable && !options.find) throw unknownOutcome(error);
    else if (failure && hasArrived(failure)) await store.arrived(name);
    throw error;
  }
}

/** What only passes requests on (Cloudflare from 520 on) gives up before the network behind it does. */
const isGateway = (status: number) => [408, 502, 504].includes(status) || status >= 520;
const hasArrived = ({ status }: PlatformError) => status !== null && !isGateway(status);

const unknownOutcome = (cause?: unknown) =>
  new PlatformError('unknown_outcome', 'It may be on the network, or not: check there before you post it again.', {
    cause,
    ...(cause instanceof PlatformError && { reason: cause.reason ?? cause.message, status: cause.status ?? undefined }),
  });

/** Not a failure: the post comes back later. Thrown by `until`. */
export class RetryLater extends Error {
  override name = 'Later';
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Waiting ${seconds} s for the network.`);
    this.seconds = seconds;
  }
}

/** What a run before has sent may still arrive: that the network does not have it now proves nothing yet. */
export class MaybeInFlight extends RetryLater {
  override name = 'InFlight';
}

export async function until<T extends Json>(check: () => Promise<T | null>, seconds: number): Promise<T> {
  const answer = await check();
  if (answer === null) throw new RetryLater(seconds);
  return answer;
}
