import type { Json } from '../../foundation/lib/json.ts';
import { PlatformError } from './failure.ts';
import { exactly, type Found, unknownOutcome } from './found.ts';
import { messages } from './messages.ts';
import type { Step, StepOptions, StepRun, Wait } from './platform.ts';
import { withinSearchTime } from './search-time.ts';

/**
 * Where steps are stored. Each call commits before it returns, and fails if this run no longer holds the post. Only
 * `finish` may commit later: before the next call, or with the outcome of the post.
 */
export interface StepStore {
  /** Records that the effect is about to run. If an earlier run has already recorded the step, returns that record. */
  begin(name: string, makesVisible: boolean, fingerprint?: string): Promise<StepRecord | 'new'>;
  /**
   * Stores the result. A run that no longer holds the post stores only results that cannot be repeated, because the run
   * that holds it now produces its own results for everything else.
   */
  finish(name: string, result: Json, isReplayable: boolean): Promise<void>;
  /** Records that the effect of a step that had begun before is about to run again. */
  markResent(name: string): Promise<void>;
  /** Records that the request is no longer in flight: the platform has responded, if only with an error. */
  markArrived(name: string): Promise<void>;
  /** Deletes a step whose effect provably did not happen, so that a later run may retry it. */
  discard(name: string): Promise<void>;
  /**
   * Stores the first of these posts that belongs to no other post of the account as the result. `msInFlight`: for how
   * long the step's own request may still be accepted. Until then, what was found may be the effect of another post in
   * doubt with the same fingerprint.
   */
  adopt<T extends Json>(name: string, found: Found<T>, msInFlight: number): Promise<Adopted<T>>;
}
export interface Adopted<T> {
  result: T | null;
  /** Whether it is unclear if one of those that belong to no other post is the effect. */
  isDoubtful: boolean;
  /** How long another post that could own one of these may still be in flight. */
  msInFlight: number;
}
export type StepRecord =
  /**
   * `msInFlight`: for how long the platform may still accept what an earlier run sent, although it does not show it
   * yet.
   */
  { startedAt: Date; ended: false; msInFlight: number } | { startedAt: Date; ended: true; result: Json };

/** The only mechanism that prevents a post from being published twice. `Step` documents its guarantees. */
export function stepRunner(store: StepStore): Step {
  return async function step<T extends Json>(
    name: string,
    effect: (run: StepRun<T>) => Promise<T>,
    options: StepOptions<T> = {},
  ) {
    const before = await store.begin(name, makesVisible(options), options.fingerprint);
    // A step stores what its effect returned, so its name implies the type.
    if (before !== 'new' && before.ended) return before.result as T;
    if (before !== 'new') {
      const found = options.replayable ? null : await resolve(name, before, options, store);
      if (found !== null) return found;
      await store.markResent(name);
    }
    const run: StepRun<T> = {
      repeatSince: before === 'new' ? null : before.startedAt,
      // The platform has responded to this run.
      adopt: (found) => adopt(name, found, store, 0),
    };
    const result = await attempt(name, () => effect(run), options, store, before);
    if (isTooLong(result)) throw tooLong(options);
    await store.finish(name, result, options.replayable === true);
    return result;
  };
}

type IsNothing = (failure: PlatformError) => boolean;

/** Whether a request of an earlier run may still be in flight. */
const mayArrive = (before: StepRecord | 'new') => before !== 'new' && !before.ended && before.msInFlight > 0;

/** Whether a failure of this request proves that the platform has nothing from an earlier one either. */
function provesNothing<T>(
  before: StepRecord | 'new',
  { replayable, find, isRepeatRefusal }: StepOptions<T>,
): IsNothing {
  if (before === 'new') return () => true;
  // If the platform accepts a request only once, an earlier one may still be in flight.
  if (replayable || before.ended || mayArrive(before)) return () => false;
  // `find` asked the platform, which has nothing. A platform that cannot be asked shows this only by refusing the
  // repeat.
  return find ? () => true : (failure) => isRepeatRefusal?.(failure) ?? false;
}

const makesVisible = <T>({ replayable, find }: StepOptions<T>) => !replayable || find !== undefined;

/** Thrown by `reconcilingRunner`: the step that had begun provably did not happen, and nothing was sent. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/**
 * Runs no effect. The last run of a post that Crier gives up on uses it to find out whether the platform has the post.
 */
export function reconcilingRunner(store: StepStore): Step {
  return async function reconcile<T extends Json>(
    name: string,
    _effect: (run: StepRun<T>) => Promise<T>,
    { refusesRepeat: _, ...options }: StepOptions<T> = {},
  ) {
    const before = await store.begin(name, makesVisible(options), options.fingerprint);
    if (before !== 'new' && before.ended) return before.result as T;
    // A step that is replayable but cannot be looked up, such as an upload, publishes nothing by itself.
    const showsNothing = before === 'new' || (options.replayable && !options.find);
    const found = showsNothing ? null : await resolve(name, before, { ...options, takenOnce: false }, store);
    if (found !== null) return found;
    await store.discard(name);
    throw new NothingFound();
  };
}

/** The result of a step that began and never ended, or null if it provably had no effect. */
async function resolve<T extends Json>(
  name: string,
  { startedAt, msInFlight }: { startedAt: Date; msInFlight: number },
  { find, takenOnce = false, refusesRepeat }: StepOptions<T>,
  store: StepStore,
) {
  if (!find && !refusesRepeat?.(startedAt)) throw unknownOutcome();
  const found = find ? await withinSearchTime(() => find(startedAt)) : exactly<T>(null);
  const result = await adopt(name, found, store, msInFlight);
  if (result !== null) return result;
  if (found.inconclusive) throw found.inconclusive;
  if (msInFlight > 0 && !takenOnce) throw new MaybeInFlight(msInFlight / 1000);
  return null;
}

async function adopt<T extends Json>(
  name: string,
  found: Found<T>,
  store: StepStore,
  ownMsInFlight: number,
): Promise<T | null> {
  if (found.posts.length + found.doubtful.length === 0) return null;
  if (found.posts.some(isTooLong)) throw unknownOutcome({ reason: messages.resultTooLong });
  const { result, isDoubtful, msInFlight } = await store.adopt(name, found, ownMsInFlight);
  if (msInFlight > 0) throw new MaybeInFlight(msInFlight / 1000);
  if (result === null && isDoubtful) throw unknownOutcome();
  return result;
}

async function attempt<T extends Json>(
  name: string,
  effect: () => Promise<T>,
  options: StepOptions<T>,
  store: StepStore,
  before: StepRecord | 'new',
) {
  const isNothing = provesNothing(before, options);
  try {
    return await effect();
  } catch (error) {
    // The platform has responded to this run, and only the request of another post is pending. Without this, posts that
    // wait for each other would do so again after every repeat.
    if (error instanceof MaybeInFlight && !mayArrive(before)) await store.markArrived(name);
    const failure = error instanceof PlatformError ? error : null;
    const nothingThere = failure !== null && isNothing(failure);
    if (failure && !failure.mayHaveHappened) {
      // A refused repeat proves nothing about the previous run, which may have succeeded.
      if (nothingThere) await store.discard(name);
    } else if (isForGood(options)) throw failedWithoutAnswer(error);
    // The response to a repeat says nothing about an earlier request that may still be in flight.
    else if (nothingThere && hasArrived(failure)) await store.markArrived(name);
    throw error;
  }
}

/** Whether no later run can determine the outcome. */
const isForGood = <T>({ replayable, find, refusesRepeat }: StepOptions<T>) => !replayable && !find && !refusesRepeat;

/** The schemas of responses bound their texts, so no result is this long. This is a second line of defence. */
const maxResultBytes = 32 * 1024;
const isTooLong = (result: Json) => Buffer.byteLength(JSON.stringify(result)) > maxResultBytes;

/**
 * The effect has happened, but its result cannot be stored. One that shows something must not be repeated. Others, such
 * as uploads, may be.
 */
const tooLong = <T>(options: StepOptions<T>) =>
  options.replayable && !makesVisible(options)
    ? new PlatformError('unavailable', messages.resultTooLong)
    : unknownOutcome({ reason: messages.resultTooLong });

/** Gateways time out before the platform behind them. Cloudflare uses statuses from 520 up. */
const isGateway = (status: number) => [408, 502, 504].includes(status) || status >= 520;
const hasArrived = ({ status }: PlatformError) => status !== null && !isGateway(status);

const failedWithoutAnswer = (cause: unknown) =>
  unknownOutcome({
    cause,
    ...(cause instanceof PlatformError && { reason: cause.reason ?? cause.message, status: cause.status }),
  });

/** Not a failure: the post is retried later. Thrown by `until`. */
export class RetryLater extends Error {
  override name = 'RetryLater';
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Waiting ${seconds} s for the platform.`);
    this.seconds = seconds;
  }
}

/** A request of an earlier run may still arrive, so its absence on the platform proves nothing yet. */
export class MaybeInFlight extends RetryLater {
  override name = 'MaybeInFlight';
}

/** Platforms say when to check again, and may say anything. */
const minWaitSeconds = 1;
const maxWaitSeconds = 300;

export async function until<T extends Json, L = never>(
  check: () => Promise<T | null>,
  { seconds, msLeft, late }: Wait<L>,
): Promise<T | L> {
  const answer = await check();
  if (answer !== null) return answer;
  if (!(msLeft > 0)) return late();
  throw new RetryLater(seconds > minWaitSeconds ? Math.min(seconds, maxWaitSeconds) : minWaitSeconds);
}
