import { DatabaseError } from '../../../foundation/db/database-error.ts';
import { inTraceOfPost } from '../../../foundation/tracing/post-trace.ts';
import { RetryLater } from '../../../platforms/kit/steps.ts';
import { refreshAccount } from '../../connections/credentials/refresh-account.ts';
import { MediaGoneError } from '../../files/files.ts';
import { commentOn } from '../comments/comment-post.ts';
import { type ClaimedPost, newClaimToken } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import type { Attempt } from './call-adapter.ts';
import { secondsAfter } from './failures.ts';
import { lateness } from './metrics.ts';
import { finalOutcome, sendPost } from './outcome.ts';
import { recordWaiting } from './post-queries.ts';
import { endFailed, endPublished, postpone } from './record-outcome.ts';
import { returnToDraft } from './return-to-draft.ts';
import { ClaimLostError, deferredStepStore } from './step-store.ts';

/**
 * Publishes the lane's next due post, or posts its next first comment. Returns false if nothing is due or another
 * worker has taken over the lane. Throws only when the database fails: the post is left unchanged, and its stored
 * steps show what was already done when it is claimed again.
 */
export async function publishNext(
  app: PublishingApp,
  worker: string,
  connectionId: string,
  signal: AbortSignal,
  onlyGroupId?: string,
): Promise<boolean> {
  const token = newClaimToken(worker);
  const logIds = [app.newId(), app.newId()] as const;
  const post = await app.writes.claim({ worker, connectionId, token, logIds, now: app.clock.now(), onlyGroupId });
  if (!post) return false;
  const claim = { id: post.id, token };
  const log = app.log.child({ postGroupId: post.groupId, platformPostId: post.id, platform: post.platform });
  try {
    await inTraceOfPost(post.groupId, spanName(post), { attributes: spanAttributes(post) }, () =>
      post.isPublished
        ? commentOn(app, post, claim, signal, log)
        : publish(app, { post, claim, steps: deferredStepStore(app, claim), signal, log }),
    );
    await refreshAccount(app, post.connection, post.accountReadAt, signal);
  } catch (error) {
    if (error instanceof DatabaseError) throw error.cause;
    if (error instanceof RetryLater) {
      const now = app.clock.now();
      await recordWaiting(app.db, { ...claim, now }, secondsAfter(now, error.seconds));
    } else if (error instanceof ClaimLostError) log.warn('another worker has taken over, or the post was deleted');
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

/** Sends the claimed post and records the outcome or the time of the next attempt. */
async function publish(app: PublishingApp, attempt: Attempt) {
  const { post, log } = attempt;
  if (post.isFirstRun) {
    lateness.observe({ platform: post.platform }, (app.clock.now().getTime() - post.dueAt.getTime()) / 1000);
  }
  const sent = await sendPost(app, attempt);
  if (sent.remotes) return endPublished(app, attempt, sent.remotes);
  const { failure } = sent;
  if (failure instanceof MediaGoneError && (await returnToDraft(app, post.groupId, failure))) {
    return log.warn(
      { mediaId: failure.mediaId, code: failure.mediaCode },
      'a media file is missing: post returned to draft',
    );
  }
  if (await postpone(app, attempt, failure)) return;
  const outcome = await finalOutcome(app, attempt, sent);
  if (outcome.remotes) return endPublished(app, attempt, outcome.remotes);
  return endFailed(app, attempt, outcome.failure, failure);
}
