import { trace } from '@opentelemetry/api';
import type { Core } from '../../../app.ts';
import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { retryTransient } from '../../../foundation/db/retry-transient.ts';
import { parseUrl } from '../../../foundation/lib/parse-url.ts';
import { failSpan } from '../../../foundation/tracing/post-trace.ts';
import { platformFor } from '../../../platforms/index.ts';
import type { PlatformError, RemotePost } from '../../../platforms/kit/index.ts';
import { isAccountRefused } from '../../connections/credentials/act-as-account.ts';
import { noticeBroken } from '../../connections/credentials/notice-broken.ts';
import { planComments } from '../comments/plan.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import type { Attempt } from './call-adapter.ts';
import type { DeferredSteps } from './deferred-steps.ts';
import { type PublishError, publishError, retryAfter } from './failures.ts';
import { outcomes } from './metrics.ts';
import { isLogged, type Published, recordFailed, recordRetry } from './post-queries.ts';
import { type EndedStep, publishedParts } from './step-queries.ts';
import { ClaimLostError } from './step-store.ts';

/** The delays of the first comments start now. */
export async function endPublished(app: PublishingApp, attempt: Attempt, remotes: readonly RemotePost[]) {
  const { post, steps, log } = attempt;
  const remote = headOf(app, remotes)!;
  const now = app.clock.now();
  const threadParts = partsAfter(post, remotes, 'published');
  const comments = planComments(post.firstComments, platformFor(post.platform)!, now);
  const ending = { ...endingOf(app, attempt, now), accountId: post.connection.accountId };
  const recorded = await record(app, steps, { ...ending, remote, threadParts, comments });
  if (!recorded) throw new ClaimLostError();
  outcomes.inc({ platform: post.platform, outcome: 'published' });
  log.info({ postedId: remotes[0]?.id }, 'published');
}

/** Returns false if the claim was lost. */
async function record(app: PublishingApp, steps: DeferredSteps, outcome: Omit<Published, 'lastStep'>) {
  const write = (step: EndedStep | null) => wrapDatabaseErrors(app.writes.published({ ...outcome, lastStep: step }));
  const lastStep = await steps.takeUnsaved();
  try {
    return await write(lastStep);
  } catch {
    // The transaction may have been committed although its answer was lost.
    if (await wrapDatabaseErrors(retryTransient(() => isLogged(app.db, outcome.logId)))) return true;
    // Only this run knows the response, and the outcome may wait for locks that the step does not need.
    if (lastStep) await steps.saveNow(lastStep);
    return await write(null);
  }
}

/** Returns false if the post is not retried after this failure. */
export async function postpone(app: Core, attempt: Attempt, failure: PlatformError): Promise<boolean> {
  const now = app.clock.now();
  const retry = retryAfter(failure, attempt.post, now);
  if (!retry) return false;
  const error = publishError(failure, now);
  const recorded = await recordRetry(app.db, { ...attempt.claim, now, logId: app.newId() }, { ...retry, error });
  notPublished(attempt, { outcome: 'retry', recorded, error, retryAt: retry.at });
  return true;
}

/** `failure` is the reason recorded for the post; `sent` is the platform's error from sending it. */
export async function endFailed(app: Core, attempt: Attempt, failure: PlatformError, sent: PlatformError) {
  const { post } = attempt;
  const published = post.threadParts.length > 1 ? await publishedParts(app.db, post.id) : [];
  const error = {
    ...publishError(failure, app.clock.now()),
    ...(published.length > 0 && partiallyPublished(post, published.length, failure)),
  };
  const ending = endingOf(app, attempt, app.clock.now());
  const reconnect = reconnectFor(sent);
  const threadParts = partsAfter(post, published, 'failed');
  const head = headOf(app, published) ?? (failure.visible && headOf(app, [failure.visible]));
  const result = { error, reconnect, threadParts, head };
  const recorded =
    reconnect === null
      ? await recordFailed(app.db, ending, result)
      : await app.db.transaction().execute(async (tx) => {
          const isRecorded = await recordFailed(tx, ending, result);
          if (isRecorded) await noticeBroken(app, tx, post.connection.id, error.message);
          return isRecorded;
        });
  notPublished(attempt, { outcome: 'failed', recorded, error });
}

/** Records the outcome in the metrics (unless the claim was lost), the trace and the log. */
function notPublished(
  { post: { platform }, log }: Attempt,
  { outcome, recorded, error, retryAt }: { outcome: string; recorded: boolean; error: PublishError; retryAt?: Date },
) {
  const { code, platformError: reason } = error;
  if (recorded) outcomes.inc({ platform, outcome, code });
  failSpan(trace.getActiveSpan(), code);
  log.warn({ code, reason, ...(retryAt && { retryAt }) }, 'not published');
}

const endingOf = ({ newId }: Core, { post: { groupId, platform }, claim }: Attempt, now: Date) => ({
  ...claim,
  groupId,
  platform,
  now,
  logId: newId(),
  eventId: newId(),
});

/** In sandbox mode, the link points to the sandbox, which shows the post. */
export function headOf(app: Pick<Core, 'platformAccess'>, [head]: readonly RemotePost[]): RemotePost | null {
  if (!head) return null;
  // A malformed link must not fail a post that is already published.
  const url = head.url && /^https?:/i.test(head.url) ? parseUrl(head.url) : null;
  return { id: head.id, url: url && app.platformAccess.route(url).href };
}

type Thread = Pick<ClaimedPost, 'platform' | 'threadParts'>;

export function partsAfter({ threadParts }: Thread, published: readonly RemotePost[], rest: 'published' | 'failed') {
  return threadParts.map((part, index) => ({
    ...part,
    status: published[index] ? ('published' as const) : rest,
    publishedId: published[index]?.id ?? null,
  }));
}

/** Published parts stay online, and the rest of the thread is not retried. */
export const partiallyPublished = (
  { platform, threadParts }: Thread,
  published: number,
  { message }: PlatformError,
) => ({
  code: 'THREAD_PARTIALLY_PUBLISHED',
  message: `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)} thread partially published (${published}/${threadParts.length}): ${message}`,
  retryable: false,
});

/** Whether the account must be reconnected. Its owner is notified in the same transaction. */
function reconnectFor(failure: PlatformError): 'credentials' | 'account' | null {
  if (failure.kind !== 'auth') return null;
  return isAccountRefused(failure) ? 'account' : 'credentials';
}
