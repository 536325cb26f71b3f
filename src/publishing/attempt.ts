import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { refreshAccount } from '../connections/refresh-account.ts';
import { DatabaseError, wrapDatabaseErrors } from '../db/database-error.ts';
import { platformFor } from '../platforms/index.ts';
import { PlatformError, type RemotePost } from '../platforms/kit/index.ts';
import { MaybeInFlight, NothingFound, RetryLater, reconcilingRunner } from '../platforms/kit/steps.ts';
import type { PublishingApp } from './batched-writes.ts';
import { callAdapter } from './call-adapter.ts';
import type { ClaimedPost } from './claim-queries.ts';
import { planComments } from './comment-plan.ts';
import { commentOn } from './comment-post.ts';
import { publishError, retryAfter, secondsAfter } from './failures.ts';
import { lateness, outcomes } from './metrics.ts';
import { recordFailed, recordRetry, recordWaiting } from './post-queries.ts';
import { hasOpenStep, publishedParts } from './step-queries.ts';
import { ClaimLostError, type Held } from './step-store.ts';

/**
 * Publishes the lane's next due post. False: there is none, or the lane is no longer ours. Throws only for trouble of our
 * own (the database): then the post is left as it is, and its steps know what was done when it is taken up again.
 */
export async function publishNext(
  app: PublishingApp,
  worker: string,
  connectionId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const token = randomUUID();
  const logIds = [app.newId(), app.newId()] as const;
  const post = await app.writes.claim({ worker, connectionId, token, logIds, now: app.clock.now() });
  if (!post) return false;
  const held = { id: post.id, token };
  const log = app.log.child({ postGroupId: post.groupId, platformPostId: post.id, platform: post.platform });
  try {
    if (post.isPublished) await commentOn(app, post, held, signal, log);
    else await publishClaimed(app, post, held, signal, log);
    const platform = platformFor(post.platform);
    if (platform) await refreshAccount(app, platform, post.connection, post.accountReadAt, signal);
  } catch (error) {
    if (error instanceof DatabaseError) throw error.cause;
    if (error instanceof RetryLater) await waiting(app, held, error.seconds);
    else if (error instanceof ClaimLostError) log.warn('another worker has taken over, or the post was deleted');
    else throw error;
  }
  return true;
}

async function publishClaimed(app: PublishingApp, post: ClaimedPost, held: Held, signal: AbortSignal, log: App['log']) {
  if (post.isFirstRun) {
    lateness.observe({ platform: post.platform }, (app.clock.now().getTime() - post.dueAt.getTime()) / 1000);
  }
  try {
    const remotes = await callAdapter(app, post, held, signal);
    await published(app, post, held, remotes);
    log.info({ postedId: remotes[0]?.id }, 'published');
  } catch (error) {
    if (isNoVerdict(error)) throw error;
    // Our own stop says nothing about the network, or the post.
    if (signal.aborted) throw new RetryLater(0);
    log.warn(await failed(app, post, held, signal, asFailure(error, log)), 'not published');
  }
}

async function published(app: PublishingApp, post: ClaimedPost, held: Held, remotes: readonly RemotePost[]) {
  const remote = headOf(app, remotes)!;
  const now = app.clock.now();
  const entry = endingOf(app, post, held, now);
  const threadParts = partsAfter(post, remotes, 'published');
  const comments = planComments(post.firstComments, platformFor(post.platform)!, now);
  const { accountId } = post.connection;
  const isRecorded = await wrapDatabaseErrors(
    app.writes.published({ ...entry, accountId, remote, threadParts, comments }),
  );
  if (!isRecorded) throw new ClaimLostError();
  outcomes.inc({ platform: post.platform, outcome: 'published' });
}

const endingOf = ({ newId }: App, { groupId, platform }: ClaimedPost, held: Held, now: Date) => ({
  ...held,
  groupId,
  platform,
  now,
  logId: newId(),
  eventId: newId(),
});

/** The post is not done with, and nothing went wrong with it: it was taken from us, or will be run again. */
const isNoVerdict = (error: unknown) =>
  error instanceof RetryLater || error instanceof DatabaseError || error instanceof ClaimLostError;

async function waiting({ db, clock }: App, held: Held, seconds: number) {
  const now = clock.now();
  await recordWaiting(db, { ...held, now }, secondsAfter(now, seconds));
}

async function failed(app: PublishingApp, post: ClaimedPost, held: Held, signal: AbortSignal, failure: PlatformError) {
  const now = app.clock.now();
  const retry = retryAfter(failure, post, now);
  if (retry) {
    const error = publishError(failure, now);
    const entry = { ...held, now, logId: app.newId() };
    if (await recordRetry(app.db, entry, { ...retry, error })) count(post, 'retry', error.code);
    return { code: error.code, reason: error.platformError, again: retry.at };
  }
  const verdict = await verdictOn(app, post, held, signal, failure);
  if (!(verdict instanceof PlatformError)) {
    await published(app, post, held, verdict);
    return { code: null, reason: 'found on the network', postedId: verdict[0]?.id };
  }
  const out = post.threadParts.length > 1 ? await publishedParts(app.db, post.id) : [];
  const error = {
    ...publishError(verdict, app.clock.now()),
    ...(out.length > 0 && partial(post, out.length, verdict)),
  };
  const entry = endingOf(app, post, held, app.clock.now());
  const threadParts = partsAfter(post, out, 'failed');
  const ending = { error, reconnect: failure.kind === 'auth', threadParts, head: headOf(app, out) };
  if (await recordFailed(app.db, entry, ending)) count(post, 'failed', error.code);
  return { code: error.code, reason: error.platformError };
}

/** What is out stays out, and the rest is not tried again. */
const partial = ({ platform, threadParts }: ClaimedPost, out: number, { message }: PlatformError) => ({
  code: 'THREAD_PARTIALLY_PUBLISHED',
  message: `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)} thread partially published (${out}/${threadParts.length}): ${message}`,
  retryable: false,
});

/** In sandbox mode the link leads to the sandbox, where the post is to be seen. */
function headOf(app: App, [head]: readonly RemotePost[]): RemotePost | null {
  if (!head) return null;
  // A link that makes no sense is not worth a post that is out.
  const url = head.url && /^https?:/i.test(head.url) ? URL.parse(head.url) : null;
  return { id: head.id, url: url && app.platformAccess.route(url).href };
}

function partsAfter({ threadParts }: ClaimedPost, out: readonly RemotePost[], rest: 'published' | 'failed') {
  return threadParts.map((part, index) => ({
    ...part,
    status: out[index] ? ('published' as const) : rest,
    publishedId: out[index]?.id ?? null,
  }));
}

/**
 * The reason to end with has to be true. If something was begun of which we do not know whether it happened, we ask the
 * network once more, and say so if even that leaves it open.
 */
async function verdictOn(
  app: PublishingApp,
  post: ClaimedPost,
  held: Held,
  signal: AbortSignal,
  failure: PlatformError,
) {
  if (failure.kind === 'unknown_outcome' || !(await hasOpenStep(app.db, post.id))) return failure;
  try {
    return await reconcile(app, post, held, signal);
  } catch (error) {
    if (error instanceof NothingFound) return failure;
    if (isNoVerdict(error)) throw error;
    // Stopped in the middle of it: whoever comes next can still find out.
    if (signal.aborted) throw new RetryLater(0);
    const message = `${failure.message} The post may be there nevertheless: check the network before you post again.`;
    const { reason, status } = failure;
    return new PlatformError('unknown_outcome', message, { reason: reason ?? undefined, status: status ?? undefined });
  }
}

async function reconcile(
  app: PublishingApp,
  post: ClaimedPost,
  held: Held,
  signal: AbortSignal,
): Promise<RemotePost[]> {
  try {
    return await callAdapter(app, post, held, signal, reconcilingRunner);
  } catch (error) {
    if (!(error instanceof MaybeInFlight)) throw error;
    await sleep(error.seconds * 1000, undefined, { signal });
    return reconcile(app, post, held, signal);
  }
}

const count = ({ platform }: ClaimedPost, outcome: string, code: string) => outcomes.inc({ platform, outcome, code });

/**
 * Anything else that an adapter throws is a bug of ours, or an answer that nobody can read. Steps keep what was done, so
 * it is safe to try again, and the next answer may be better.
 */
function asFailure(error: unknown, log: App['log']): PlatformError {
  if (error instanceof PlatformError) return error;
  log.error({ err: error }, 'adapter failed');
  return new PlatformError('unavailable', 'The network gave an answer that could not be understood.', { cause: error });
}
