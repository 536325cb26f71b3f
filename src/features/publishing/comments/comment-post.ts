import type { App } from '../../../app.ts';
import { DatabaseError } from '../../../foundation/db/database-error.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import { platformFor } from '../../../platforms/index.ts';
import { type Platform, PlatformError, type RemoteComment } from '../../../platforms/kit/index.ts';
import {
  NothingFound,
  RetryLater,
  reconcilingRunner,
  type StepStore,
  stepRunner,
  until,
} from '../../../platforms/kit/steps.ts';
import { actAsAccount } from '../../connections/credentials/act-as-account.ts';
import type { PublishingApp } from '../attempt/batched-writes.ts';
import { closedAccountSeconds } from '../attempt/closed-accounts.ts';
import { codeOf, retryAfter, secondsAfter } from '../attempt/failures.ts';
import { type CommentLog, recordComment } from '../attempt/post-queries.ts';
import { hasOpenStep, hasStep } from '../attempt/step-queries.ts';
import { ClaimLostError, type PostClaim, stepStore } from '../attempt/step-store.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import { selectIsLeaving } from '../lanes/dispatch-queries.ts';
import {
  afterFailure,
  type CommentError,
  type CommentPlan,
  type CommentResult,
  commentsFor,
  withNext,
} from './plan.ts';

/** A comment that is overdue for longer than this is not posted. */
const deadlineMs = 24 * 3_600_000;

/** Posts the next first comment. It is attempted once; only a request that provably never arrived is retried. */
export async function commentOn(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  signal: AbortSignal,
  log: App['log'],
) {
  const items = commentsFor(post.firstComments, post.platform);
  const index = post.commentResults.findIndex(({ status }) => status === 'pending');
  const item = items[index];
  const steps = `comment ${index} `;
  const isOpen = () => hasOpenStep(app.db, post.id, steps);
  const wasOpen = await isOpen();
  let isSent = false;
  const sending = () => {
    isSent = true;
  };
  const plan = async (): Promise<CommentPlan & { coolDownUntil?: Date }> => {
    if (index === -1 || !item) return { results: post.commentResults, runAt: null };
    const failed = (error: CommentError) => afterFailure(post.commentResults, index, error, app.clock.now());
    const isLeaving = post.isClosed && (await selectIsLeaving(app.db, post.userId));
    const late = isLeaving || isTooLate(post.commentResults[index]?.dueAt, app.clock.now());
    if (post.isClosed && !late) {
      return { results: post.commentResults, runAt: secondsAfter(app.clock.now(), closedAccountSeconds) };
    }
    if (late && !(await hasStep(app.db, post.id, steps))) return failed(isLeaving ? leaving : tooLate);
    try {
      // An overdue comment is not sent, but a worker that died may have sent it earlier.
      const runner = late ? reconcilingRunner : stepRunner;
      const remote = await run(app, post, claim, { text: item.text.trim(), index, steps, runner, sending }, signal);
      const now = app.clock.now();
      const posted = { ...post.commentResults[index]!, status: 'posted' as const, commentId: remote.id };
      const at = now.toISOString();
      log.info({ commentId: remote.id }, 'first comment posted');
      return withNext(post.commentResults.with(index, { ...posted, attemptedAt: at, postedAt: at }), items, now);
    } catch (error) {
      if (error instanceof NothingFound) return failed(isLeaving ? leaving : tooLate);
      const later = error instanceof RetryLater ? error.seconds : signal.aborted ? 0 : null;
      if (later !== null) return { results: post.commentResults, runAt: secondsAfter(app.clock.now(), later) };
      if (!(error instanceof PlatformError)) throw error;
      log.warn({ reason: error.reason ?? error.message }, 'first comment not posted');
      const retryAt = late ? null : retryTime(error, isSent, post.commentResults[index]?.dueAt, app.clock.now());
      const isCoolDown = error.kind === 'rate_limited';
      return retryAt
        ? { results: post.commentResults, runAt: retryAt, ...(isCoolDown && { coolDownUntil: retryAt }) }
        : failed(commentError(error, { wasOpen, isOpen: await isOpen() }));
    }
  };
  const next = await plan();
  const outcome = commentLog(app, index, next.results[index]);
  const recorded = await recordComment(app.db, { ...claim, now: app.clock.now() }, next, outcome);
  if (!recorded) throw new ClaimLostError();
}

/** Null while the comment has no outcome. */
function commentLog({ newId }: PublishingApp, index: number, result: CommentResult | undefined): CommentLog | null {
  const { status, commentId = null, error } = result ?? {};
  if (status === 'posted') {
    const entry = postLogEvents.firstCommentPosted.entry({ index, commentId });
    return { id: newId(), ...entry, error: null, httpStatus: null };
  }
  if (status !== 'failed' || !error) return null;
  const entry = postLogEvents.firstCommentFailed.entry({ index, errorCode: error.code });
  return { id: newId(), ...entry, error: error.message, httpStatus: error.platformStatusCode };
}

async function run(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  comment: { text: string; index: number; steps: string; runner: typeof stepRunner; sending(): void },
  signal: AbortSignal,
): Promise<RemoteComment> {
  const platform: Platform | null = platformFor(post.platform);
  if (!platform?.comment) throw new PlatformError('rejected', `Crier cannot comment on ${post.platform} posts.`);
  const on = { id: post.postedId!, url: null };
  return actAsAccount(app, platform, post.connection, signal, (context) => {
    const step = comment.runner(withPrefix(stepStore(app, claim), comment.steps, comment.sending));
    return platform.comment!(on, comment.text, { ...context, postId: `${post.id}-${comment.index}`, step, until });
  }).catch((error: unknown) => {
    if (error instanceof PlatformError || error instanceof ClaimLostError || error instanceof DatabaseError)
      throw error;
    if (error instanceof NothingFound || error instanceof RetryLater) throw error;
    const message = `Crier could not process a response from ${platform.name}. Check the post for the comment.`;
    throw new PlatformError('unknown_outcome', message, { cause: error });
  });
}

/** The prefix separates the steps of a comment from those of the post. */
const withPrefix = (store: StepStore, prefix: string, sending: () => void): StepStore => ({
  async begin(name, ...shown) {
    const before = await store.begin(prefix + name, ...shown);
    if (before === 'new') sending();
    return before;
  },
  finish: (name, result, isReplayable) => store.finish(prefix + name, result, isReplayable),
  async markResent(name) {
    await store.markResent(prefix + name);
    sending();
  },
  markArrived: (name) => store.markArrived(prefix + name),
  discard: (name) => store.discard(prefix + name),
  adopt: (name, found, msInFlight) => store.adopt(prefix + name, found, msInFlight),
});

/**
 * A retry is safe if the platform rejected the request unread, if the request was never sent, or if this run only
 * checked. Only the deadline ends retries, so the longer a comment is overdue, the rarer they are.
 */
function retryTime(error: PlatformError, isSent: boolean, dueAt: string | null | undefined, now: Date): Date | null {
  const neverArrived = error.kind === 'rate_limited' || (error.kind === 'network' && !error.mayHaveHappened);
  const retry = neverArrived || !isSent ? retryAfter(error, { attempts: 0, rateLimitedSince: null }, now) : null;
  if (!retry?.counts || dueAt == null) return retry?.at ?? null;
  const due = Date.parse(dueAt);
  const halfAsLateAgain = now.getTime() + (now.getTime() - due) / 2;
  // The last run reports that it is too late.
  return new Date(Math.max(retry.at.getTime(), Math.min(halfAsLateAgain, due + deadlineMs + 1)));
}

const isTooLate = (dueAt: string | null | undefined, now: Date) =>
  dueAt != null && now.getTime() - Date.parse(dueAt) > deadlineMs;

const leaving: CommentError = {
  code: 'ACCOUNT_DEACTIVATED',
  message: 'The comment was due while the account was about to be deleted, so it was not posted.',
  platformStatusCode: null,
  outcomeUnknown: false,
};

const tooLate: CommentError = {
  code: 'FIRST_COMMENT_DEADLINE_EXCEEDED',
  message: 'The comment could not be posted within 24 hours of its due time.',
  platformStatusCode: null,
  outcomeUnknown: false,
};

/**
 * A comment that an earlier run began and this run could not resolve counts as interrupted, regardless of this run's
 * error.
 */
function commentError(error: PlatformError, { wasOpen, isOpen }: Record<'wasOpen' | 'isOpen', boolean>): CommentError {
  const { status, mayHaveHappened, message } = error;
  return {
    code: wasOpen && isOpen ? 'FIRST_COMMENT_INTERRUPTED' : commentCode(error),
    message,
    platformStatusCode: status,
    outcomeUnknown: mayHaveHappened || isOpen,
  };
}

function commentCode(error: PlatformError): string {
  if (error.code !== null) return error.code;
  if (error.kind === 'auth' || error.status === 403) return 'FIRST_COMMENT_PERMISSION_REQUIRED';
  const isGone = error.kind === 'rejected' && (error.status === 404 || error.status === 410);
  return isGone ? 'FIRST_COMMENT_TARGET_UNAVAILABLE' : codeOf(error);
}
