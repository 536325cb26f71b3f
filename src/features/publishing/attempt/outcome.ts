import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../../app.ts';
import { DatabaseError } from '../../../foundation/db/database-error.ts';
import { platformFor } from '../../../platforms/index.ts';
import { messages, PlatformError, type RemotePost } from '../../../platforms/kit/index.ts';
import { MaybeInFlight, NothingFound, RetryLater } from '../../../platforms/kit/steps.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import { type Attempt, callAdapter, publishing, reconciling } from './call-adapter.ts';
import { holdBack } from './closed-accounts.ts';
import { stepsOf } from './step-queries.ts';
import { ClaimLostError } from './step-store.ts';

interface Published {
  /** One post, or all parts of a thread in order. */
  remotes: RemotePost[];
  failure?: undefined;
}
interface NotPublished {
  remotes?: undefined;
  failure: PlatformError;
}
interface NotSent extends NotPublished {
  /** The names of the steps that this run reached. */
  reached: ReadonlySet<string>;
}

/** Calls the adapter. Throws if the run ends without an outcome. */
export async function sendPost(app: PublishingApp, attempt: Attempt): Promise<Published | NotSent> {
  const { post, claim, steps, signal, log } = attempt;
  const reached = new Set<string>();
  try {
    if (post.isClosed) await holdBack(app, post, claim);
    return { remotes: await callAdapter(app, attempt, publishing(reached)) };
  } catch (error) {
    await steps.settle();
    requireConclusive(error, signal);
    return { failure: asFailure(error, post, log), reached };
  }
}

/**
 * A post must not end with a wrong reason. Two cases are uncertain: an effect has begun and its outcome is unknown,
 * or an earlier run made something visible on the platform and this run failed before reaching that step. In both
 * cases, check the steps and the platform once more. If the result is still unclear, the post ends with an unknown
 * outcome.
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
    // For threads, `publishedParts` knows which parts are online.
    if (error instanceof NothingFound && (!isShown || post.threadParts.length > 1)) return { failure };
    requireConclusive(error, signal);
    const { reason, message, status } = failure;
    const known = { reason: reason ?? message, status: status ?? undefined };
    return { failure: new PlatformError('unknown_outcome', messages.outcomeUnknown, known) };
  }
}

async function reconcile(app: PublishingApp, attempt: Attempt): Promise<RemotePost[]> {
  const { signal } = attempt;
  try {
    return await callAdapter(app, attempt, reconciling);
  } catch (error) {
    if (!(error instanceof MaybeInFlight)) throw error;
    await sleep(error.seconds * 1000, undefined, { signal });
    return reconcile(app, attempt);
  }
}

/**
 * Throws if the run ended without an outcome for reasons unrelated to the post: it will run again, or another worker
 * has it.
 */
function requireConclusive(error: unknown, signal: AbortSignal) {
  if (error instanceof RetryLater || error instanceof DatabaseError || error instanceof ClaimLostError) throw error;
  // An error caused by our own shutdown says nothing about the platform or the post. The next run can find out.
  if (signal.aborted) throw new RetryLater(0);
}

/**
 * Any other error from an adapter is a bug in Crier or a response the adapter cannot parse. A retry is safe because
 * steps record what was done, and the next response may be valid.
 */
function asFailure(error: unknown, { platform }: ClaimedPost, log: Core['log']): PlatformError {
  if (error instanceof PlatformError) return error;
  log.error({ err: error }, 'adapter failed');
  const name = platformFor(platform)?.name ?? platform;
  const message = `Crier could not process a response from ${name}. Try again later.`;
  return new PlatformError('unavailable', message, { cause: error });
}
