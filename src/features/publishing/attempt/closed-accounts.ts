import type { App } from '../../../app.ts';
import { PlatformError } from '../../../platforms/kit/index.ts';
import { RetryLater } from '../../../platforms/kit/steps.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import { insertHeldBackLogs, selectIsLeaving, selectNewlyHeldBack } from '../lanes/dispatch-queries.ts';
import { recordNote } from './post-queries.ts';
import type { PostClaim } from './step-store.ts';

/**
 * Nothing is sent while the account or its owner is deactivated. Due posts wait for one day: they are published if
 * the account is reactivated by then, and fail otherwise. Nothing is sent either for an account that its user has
 * asked to delete. If the user keeps it after all, no post may go out late as a surprise. So the dispatcher returns due
 * posts to draft, and those that it has handed to a worker before fail.
 */
const maxWaitMs = 24 * 3_600_000;
/** How often a worker checks whether the account is active again. */
export const closedAccountSeconds = 30;

const waits = 'The account is deactivated. The post waits up to 24 hours for the account to be reactivated.';

export const notSentWhileLeaving =
  'The post was due while the account was about to be deleted, so it was not sent. If you keep the account, schedule it again.';

/** Posts that were due before this time no longer wait. */
export const endOfWait = (now: Date) => new Date(now.getTime() - maxWaitMs);

/** Adds a log entry to due posts that are waiting. */
export async function logHeldBackPosts({ db, clock, newId, log }: Pick<App, 'db' | 'clock' | 'newId' | 'log'>) {
  const now = clock.now();
  const heldBack = await selectNewlyHeldBack(db, now, endOfWait(now));
  if (heldBack.length === 0) return;
  await insertHeldBackLogs(
    db,
    heldBack.map((group) => ({ ...group, id: newId() })),
    waits,
    now,
  );
  for (const { groupId, userId } of heldBack)
    log.warn({ postGroupId: groupId, userId }, 'not published: account deactivated');
}

/** Always throws: the post of a closed account either waits or fails. */
export async function holdBack(app: Pick<App, 'db' | 'newId' | 'clock'>, post: ClaimedPost, claim: PostClaim) {
  if (await selectIsLeaving(app.db, post.userId)) throw notPublished(notSentWhileLeaving);
  if (post.dueAt <= endOfWait(app.clock.now())) throw notPublished(deactivatedForADay);
  if (post.isFresh) await recordNote(app, claim, 'publishHeld', new PlatformError('unavailable', waits));
  throw new RetryLater(closedAccountSeconds);
}

const deactivatedForADay =
  'The account was deactivated when the post was due and for the following 24 hours. Publish the post again.';

const notPublished = (reason: string) => new PlatformError('rejected', reason, { code: 'ACCOUNT_DEACTIVATED' });
