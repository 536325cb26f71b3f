import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import type { Core } from '../../../app.ts';
import { DatabaseError, wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { failSpan, inTraceOfPost } from '../../../foundation/tracing/post-trace.ts';
import { platformFor } from '../../../platforms/index.ts';
import { messages, PlatformError, type RemotePost } from '../../../platforms/kit/index.ts';
import { MaybeInFlight, NothingFound, RetryLater } from '../../../platforms/kit/steps.ts';
import { isAccountRefused } from '../../connections/credentials/act-as-account.ts';
import { noticeBroken } from '../../connections/credentials/notice-broken.ts';
import { refreshAccount } from '../../connections/credentials/refresh-account.ts';
import { MediaGoneError } from '../../files/files.ts';
import { commentOn } from '../comments/comment-post.ts';
import { planComments } from '../comments/plan.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import { callAdapter, publishing, reconciling } from './call-adapter.ts';
import { holdBack } from './closed-accounts.ts';
import { publishError, retryAfter, secondsAfter } from './failures.ts';
import { lateness, outcomes } from './metrics.ts';
import { recordFailed, recordRetry, recordWaiting } from './post-queries.ts';
import { returnToDraft } from './return-to-draft.ts';
import { publishedParts, stepsOf } from './step-queries.ts';
import { ClaimLostError, type PostClaim } from './step-store.ts';

/**
 * Publishes the lane's next due post. False if there is none, or if another worker has taken the lane over. Throws only when
 * the database fails: then the post stays as it is, and its steps say what was done when it is claimed again.
 */
export async function publishNext(
  app: PublishingApp,
  worker: string,
  connectionId: string,
  signal: AbortSignal,
  onlyGroupId?: string,
): Promise<boolean> {
  const token = randomUUID();
  const logIds = [app.newId(), app.newId()] as const;
  const post = await app.writes.claim({ worker, connectionId, token, logIds, now: app.clock.now(), onlyGroupId });
  if (!post) return false;
  const claim = { id: post.id, token };
  const log = app.log.child({ postGroupId: post.groupId, platformPostId: post.id, platform: post.platform });
  try {
    await inTraceOfPost(post.groupId, spanName(post), { attributes: spanAttributes(post) }, () =>
      post.isPublished ? commentOn(app, post, claim, signal, log) : publishClaimed(app, post, claim, signal, log),
    );
    const platform = platformFor(post.platform);
    if (platform) await refreshAccount(app, platform, post.connection, post.accountReadAt, signal);
  } catch (error) {
    if (error instanceof DatabaseError) throw error.cause;
    if (error instanceof RetryLater) await wait(app, claim, error.seconds);
    else if (error instanceof ClaimLostError) log.warn('another worker has taken over, or the post was deleted');
    else throw error;
  }
  return true;
}

const spanName = ({ isPublished, platform }: ClaimedPost) => `${isPublished ? 'comment' : 'publish'} ${platform}`;

const spanAttributes = ({ id, platform, connection }: ClaimedPost) => ({
  'crier.platform': platform,
  'crier.platform_post_id': id,
  'crier.connection_id': connection.id,
});

async function publishClaimed(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  signal: AbortSignal,
  log: Core['log'],
) {
  if (post.isFirstRun) {
    lateness.observe({ platform: post.platform }, (app.clock.now().getTime() - post.dueAt.getTime()) / 1000);
  }
  const reached = new Set<string>();
  try {
    if (post.isClosed) await holdBack(app, post, claim);
    const remotes = await callAdapter(app, post, claim, signal, publishing(reached));
    await endPublished(app, post, claim, remotes);
    log.info({ postedId: remotes[0]?.id }, 'published');
  } catch (error) {
    if (isInconclusive(error)) throw error;
    // An error that our own stop has caused says nothing about the platform or the post.
    if (signal.aborted) throw new RetryLater(0);
    if (error instanceof MediaGoneError && (await returnToDraft(app, post.groupId, error))) {
      return log.warn({ mediaId: error.mediaId, code: error.mediaCode }, 'a media file is gone: returned to draft');
    }
    const outcome = await retryOrFail(app, post, claim, signal, asFailure(error, post, log), reached);
    if (outcome.code) failSpan(trace.getActiveSpan(), outcome.code);
    log.warn(outcome, 'not published');
  }
}

async function endPublished(app: PublishingApp, post: ClaimedPost, claim: PostClaim, remotes: readonly RemotePost[]) {
  const remote = headOf(app, remotes)!;
  const now = app.clock.now();
  const threadParts = partsAfter(post, remotes, 'published');
  const comments = planComments(post.firstComments, platformFor(post.platform)!, now);
  const ending = { ...endingOf(app, post, claim, now), accountId: post.connection.accountId };
  if (!(await wrapDatabaseErrors(app.writes.published({ ...ending, remote, threadParts, comments }))))
    throw new ClaimLostError();
  outcomes.inc({ platform: post.platform, outcome: 'published' });
}

const endingOf = ({ newId }: Core, { groupId, platform }: ClaimedPost, claim: PostClaim, now: Date) => ({
  ...claim,
  groupId,
  platform,
  now,
  logId: newId(),
  eventId: newId(),
});

/** The run ends without an outcome, and that is not the post's fault: it is run again, or another worker has it. */
const isInconclusive = (error: unknown) =>
  error instanceof RetryLater || error instanceof DatabaseError || error instanceof ClaimLostError;

async function wait({ db, clock }: Core, claim: PostClaim, seconds: number) {
  const now = clock.now();
  await recordWaiting(db, { ...claim, now }, secondsAfter(now, seconds));
}

/** Returns what the log says about it. */
async function retryOrFail(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  signal: AbortSignal,
  failure: PlatformError,
  reached: ReadonlySet<string>,
) {
  const now = app.clock.now();
  const retry = retryAfter(failure, post, now);
  if (retry) {
    const error = publishError(failure, now);
    const entry = { ...claim, now, logId: app.newId() };
    if (await recordRetry(app.db, entry, { ...retry, error })) count(post, 'retry', error.code);
    return { code: error.code, reason: error.platformError, retryAt: retry.at };
  }
  const outcome = await finalOutcome(app, post, claim, signal, failure, reached);
  if (!(outcome instanceof PlatformError)) {
    await endPublished(app, post, claim, outcome);
    return { code: null, reason: 'found on the platform', postedId: outcome[0]?.id };
  }
  const published = post.threadParts.length > 1 ? await publishedParts(app.db, post.id) : [];
  const error = {
    ...publishError(outcome, app.clock.now()),
    ...(published.length > 0 && partiallyPublished(post, published.length, outcome)),
  };
  const ending = endingOf(app, post, claim, app.clock.now());
  const threadParts = partsAfter(post, published, 'failed');
  const result = { error, reconnect: reconnectFor(failure), threadParts, head: headOf(app, published) };
  if (await endFailed(app, post, ending, result)) count(post, 'failed', error.code);
  return { code: error.code, reason: error.platformError };
}

/** The owner of a connection that has to be made again is told of it in the same transaction. */
async function endFailed(app: Core, { connection }: ClaimedPost, ...[ending, result]: Failed) {
  if (result.reconnect === null) return recordFailed(app.db, ending, result);
  return app.db.transaction().execute(async (tx) => {
    const recorded = await recordFailed(tx, ending, result);
    if (recorded) await noticeBroken(app, tx, connection.id, result.error.message);
    return recorded;
  });
}

type Failed = Parameters<typeof recordFailed> extends [unknown, ...infer Rest] ? Rest : never;

function reconnectFor(failure: PlatformError): 'credentials' | 'account' | null {
  if (failure.kind !== 'auth') return null;
  return isAccountRefused(failure) ? 'account' : 'credentials';
}

/** The published parts stay, and the rest of the thread is not retried. */
const partiallyPublished = ({ platform, threadParts }: ClaimedPost, published: number, { message }: PlatformError) => ({
  code: 'THREAD_PARTIALLY_PUBLISHED',
  message: `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)} thread partially published (${published}/${threadParts.length}): ${message}`,
  retryable: false,
});

/** In sandbox mode the link leads to the sandbox, which shows the post. */
function headOf(app: Core, [head]: readonly RemotePost[]): RemotePost | null {
  if (!head) return null;
  // A malformed link must not fail a post that is published.
  const url = head.url && /^https?:/i.test(head.url) ? URL.parse(head.url) : null;
  return { id: head.id, url: url && app.platformAccess.route(url).href };
}

function partsAfter({ threadParts }: ClaimedPost, published: readonly RemotePost[], rest: 'published' | 'failed') {
  return threadParts.map((part, index) => ({
    ...part,
    status: published[index] ? ('published' as const) : rest,
    publishedId: published[index]?.id ?? null,
  }));
}

/**
 * The reason that a post ends with has to be true. Either an effect was begun and its outcome is not known; or an earlier
 * run showed something on the platform, and this run failed before it came that far. Then the steps and the platform are
 * asked once more. If that leaves it open, the post ends with an unknown outcome.
 */
async function finalOutcome(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  signal: AbortSignal,
  failure: PlatformError,
  reached: ReadonlySet<string>,
) {
  if (failure.kind === 'unknown_outcome') return failure;
  const steps = await stepsOf(app.db, post.id);
  const isShown = steps.some(({ name, ended, makesVisible }) => ended && makesVisible && !reached.has(name));
  if (!isShown && steps.every(({ ended }) => ended)) return failure;
  try {
    return await reconcile(app, post, claim, signal);
  } catch (error) {
    // Of a thread, `publishedParts` knows what is there.
    if (error instanceof NothingFound && (!isShown || post.threadParts.length > 1)) return failure;
    if (isInconclusive(error)) throw error;
    // The worker was stopped in the middle of it. The next run can still find out.
    if (signal.aborted) throw new RetryLater(0);
    const { reason, message, status } = failure;
    return new PlatformError('unknown_outcome', messages.outcomeUnknown, {
      reason: reason ?? message,
      status: status ?? undefined,
    });
  }
}

async function reconcile(
  app: PublishingApp,
  post: ClaimedPost,
  claim: PostClaim,
  signal: AbortSignal,
): Promise<RemotePost[]> {
  try {
    return await callAdapter(app, post, claim, signal, reconciling);
  } catch (error) {
    if (!(error instanceof MaybeInFlight)) throw error;
    await sleep(error.seconds * 1000, undefined, { signal });
    return reconcile(app, post, claim, signal);
  }
}

const count = ({ platform }: ClaimedPost, outcome: string, code: string) => outcomes.inc({ platform, outcome, code });

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
