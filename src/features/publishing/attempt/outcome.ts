import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../../app.ts';
import { DatabaseError } from '../../../foundation/db/database-error.ts';
import { platformFor } from '../../../platforms/index.ts';
import { messages, PlatformError, type RemotePost } from '../../../platforms/kit/index.ts';
import { MaybeInFlight, NothingFound, RetryLater } from '../../../platforms/kit/steps.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import { callAdapter, publishing, reconciling } from './call-adapter.ts';
import { holdBack } from './closed-accounts.ts';
import { stepsOf } from './step-queries.ts';
import { ClaimLostError, type PostClaim } from './step-store.ts';

/** One run at a post that this worker has claimed. */
export interface Attempt {
  post: ClaimedPost;
  claim: PostClaim;
  signal: AbortSignal;
  log: Core['log'];
}

interface Published {
  /** One post, or those of a thread in order. */
  remotes: RemotePost[];
  failure?: undefined;
}
interface NotPublished {
  remotes?: undefined;
  failure: PlatformError;
}
interface NotSent extends NotPublished {
  /** The names of the steps that the run came to. */
  reached: ReadonlySet<string>;
}

/** Calls the adapter. Throws if the run ends without an outcome. */
export async function sendPost(app: PublishingApp, attempt: Attempt): Promise<Published | NotSent> {
  const { post, claim, signal, log } = attempt;
  const reached = new Set<string>();
  try {
    if (post.isClosed) await holdBack(app, post, claim);
    return { remotes: await callAdapter(app, post, claim, signal, publishing(reached)) };
  } catch (error) {
    requireConclusive(error, signal);
    return { failure: asFailure(error, post, log), reached };
  }
}

/**
 * The reason that a post ends with has to be true. Either an effect was begun and its outcome is not known; or an earlier
 * run showed something on the platform, and this run failed before it came that far. Then the steps and the platform are
 * asked once more. If that leaves it open, the post ends with an unknown outcome.
 */
export async function finalOutcome(
  app: PublishingApp,
  attempt: Attempt,
  { failure, reached }: NotSent,
): Promise<Published | NotPublished> {
  const { post, signal, log } = attempt;
  if (failure.kind === 'unknown_outcome') return { failure };
  const steps = await stepsOf(app.db, post.id);
  const isShown = steps.some(({ name, ended, makesVisible }) => ended && makesVisible && !reached.has(name));
  if (!isShown && steps.every(({ ended }) => ended)) return { failure };
  try {
    const remotes = await reconcile(app, attempt);
    log.info('found on the platform');
    return { remotes };
  } catch (error) {
    // Of a thread, `publishedParts` knows what is there.
    if (error instanceof NothingFound && (!isShown || post.threadParts.length > 1)) return { failure };
    requireConclusive(error, signal);
    const { reason, message, status } = failure;
    const known = { reason: reason ?? message, status: status ?? undefined };
    return { failure: new PlatformError('unknown_outcome', messages.outcomeUnknown, known) };
  }
}

async function reconcile(app: PublishingApp, attempt: Attempt): Promise<RemotePost[]> {
  const { post, claim, signal } = attempt;
  try {
    return await callAdapter(app, post, claim, signal, reconciling);
  } catch (error) {
    if (!(error instanceof MaybeInFlight)) throw error;
    await sleep(error.seconds * 1000, undefined, { signal });
    return reconcile(app, attempt);
  }
}

/** Throws for a run that ends without an outcome, through no fault of the post: it is run again, or another worker has it. */
function requireConclusive(error: unknown, signal: AbortSignal) {
  if (error instanceof RetryLater || error instanceof DatabaseError || error instanceof ClaimLostError) throw error;
  // An error that our own stop has caused says nothing about the platform or the post. The next run can still find out.
  if (signal.aborted) throw new RetryLater(0);
}

/**
 * Anything else that an adapter throws is a bug of ours, or a response that the adapter cannot read. Steps keep what was
 * done, so it is safe to retry, and the next response may be readable.
 */
function asFailure(error: unknown, { platform }: ClaimedPost, log: Core['log']): PlatformError {
  if (error instanceof PlatformError) return error;
  log.error({ err: error }, 'adapter failed');
  const name = platformFor(platform)?.name ?? platform;
  const message = `Crier could not process a response from ${name}. Try again later.`;
  return new PlatformError('unavailable', message, { cause: error });
}
