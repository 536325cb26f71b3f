import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import { openCredentials } from '../connections/connections.ts';
import { platformFor } from '../platforms/index.ts';
import { type Account, type Platform, PlatformError, type RemotePost } from '../platforms/kit/index.ts';
import { reach, secretsOf } from '../platforms/kit/reach.ts';
import { Later, NothingHappened, settlingRunner, stepRunner, until } from '../platforms/kit/steps.ts';
import { publishError, retryAfter } from './failures.ts';
import { lateness, outcomes } from './metrics.ts';
import {
  type ClaimedPost,
  claimPost,
  recordFailed,
  recordPublished,
  recordRetry,
  recordWaiting,
} from './post-queries.ts';
import { hasOpenStep } from './step-queries.ts';
import { ClaimLost, type Held, StoreTrouble, stepStore } from './step-store.ts';

/**
 * Publishes the lane's next due post. False: there is none, or the lane is no longer ours. Throws only for trouble of our
 * own (the database): then the post is left as it is, and its steps know what was done when it is taken up again.
 */
export async function publishNext(
  app: App,
  worker: string,
  connectionId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const token = randomUUID();
  const logIds = [app.newId(), app.newId()] as const;
  const post = await claimPost(app.db, { worker, connectionId, token, logIds, now: app.clock.now() });
  if (!post) return false;
  const held = { id: post.id, token };
  const log = app.log.child({ postGroupId: post.groupId, platformPostId: post.id, platform: post.platform });
  lateness.observe({ platform: post.platform }, (app.clock.now().getTime() - post.dueAt.getTime()) / 1000);
  try {
    await publishClaimed(app, post, held, signal, log);
  } catch (error) {
    if (error instanceof StoreTrouble) throw error.cause;
    if (!(error instanceof ClaimLost)) throw error;
    log.warn('another worker has taken over, or the post was deleted');
  }
  return true;
}

async function publishClaimed(app: App, post: ClaimedPost, held: Held, signal: AbortSignal, log: App['log']) {
  try {
    const remote = await run(app, post, held, signal);
    await published(app, post, held, remote);
    log.info({ postedId: remote.id }, 'published');
  } catch (error) {
    if (error instanceof StoreTrouble || error instanceof ClaimLost) throw error;
    if (error instanceof Later) return waiting(app, held, error.seconds);
    log.warn(await failed(app, post, held, signal, asFailure(error, log)), 'not published');
  }
}

async function run(
  app: App,
  post: ClaimedPost,
  held: Held,
  signal: AbortSignal,
  runner = stepRunner,
): Promise<RemotePost> {
  const platform: Platform | null = platformFor(post.platform);
  if (!platform) throw new PlatformError('rejected', `Unknown platform: ${post.platform}`);
  const credentials = credentialsOf(app, platform, post);
  return platform.publish(
    { text: post.content, media: [], thumbnail: null, settings: platform.settings.parse(post.settings) },
    {
      ...reach(app.network, platform.id, signal, secretsOf(platform.credentials, credentials)),
      account: accountOf(post.connection),
      credentials,
      postId: post.id,
      step: runner(stepStore(app, held)),
      until,
    },
  );
}

function credentialsOf(app: App, platform: Platform, { userId, connection }: ClaimedPost) {
  try {
    return platform.credentials.parse(openCredentials(app, { userId, platform: platform.id, ...connection }));
  } catch (cause) {
    throw new PlatformError('auth', 'The stored credentials cannot be read. Connect the account again.', { cause });
  }
}

async function published(app: App, post: ClaimedPost, held: Held, remote: RemotePost) {
  // In sandbox mode the link leads to the sandbox, where the post is to be seen.
  const url = remote.url && app.network.route(new URL(remote.url)).href;
  const entry = { ...held, now: app.clock.now(), logId: app.newId() };
  if (!(await ours(recordPublished(app.db, entry, { id: remote.id, url })))) throw new ClaimLost();
  outcomes.inc({ platform: post.platform, outcome: 'published' });
}

async function waiting({ db, clock, newId }: App, held: Held, seconds: number) {
  const now = clock.now();
  await recordWaiting(db, { ...held, now, logId: newId() }, new Date(now.getTime() + seconds * 1000));
}

async function failed(app: App, post: ClaimedPost, held: Held, signal: AbortSignal, failure: PlatformError) {
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
    return { code: null, reason: 'found on the network', postedId: verdict.id };
  }
  const error = publishError(verdict, app.clock.now());
  const entry = { ...held, now: app.clock.now(), logId: app.newId() };
  const reconnect = verdict.kind === 'auth';
  if (await recordFailed(app.db, entry, { error, reconnect })) count(post, 'failed', error.code);
  return { code: error.code, reason: error.platformError };
}

/**
 * The reason to end with has to be true. If something was begun of which we do not know whether it happened, we ask the
 * network once more, and say so if even that leaves it open.
 */
async function verdictOn(app: App, post: ClaimedPost, held: Held, signal: AbortSignal, failure: PlatformError) {
  if (failure.kind === 'unknown_outcome' || !(await hasOpenStep(app.db, post.id))) return failure;
  try {
    return await run(app, post, held, signal, settlingRunner);
  } catch (error) {
    if (error instanceof NothingHappened) return failure;
    if (error instanceof StoreTrouble || error instanceof ClaimLost) throw error;
    const message = `${failure.message} The post may be there nevertheless: check the network before you post again.`;
    const { reason, status } = failure;
    return new PlatformError('unknown_outcome', message, { reason: reason ?? undefined, status: status ?? undefined });
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

/** Marks trouble with the database as ours. */
const ours = <T>(work: Promise<T>) => work.catch((cause: unknown) => Promise.reject(new StoreTrouble(cause)));

const accountOf = (connection: ClaimedPost['connection']): Account => {
  const { accountId: id, handle, displayName, avatarUrl, profileUrl, traits } = connection;
  return { id, handle, displayName, avatarUrl, profileUrl, traits };
};
