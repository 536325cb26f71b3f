import type { Core } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { platformFor } from '../../../platforms/index.ts';
import type { PlatformError, RemotePost } from '../../../platforms/kit/index.ts';
import type { ThreadPart } from '../../posts/create/target-content.ts';
import type { FirstComment } from '../../posts/first-comment-schema.ts';
import { publishError } from '../attempt/failures.ts';
import { recordFailed, recordPublished } from '../attempt/post-queries.ts';
import { headOf, partiallyPublished, partsAfter } from '../attempt/record-outcome.ts';
import { publishedParts, remoteIn, visibleSteps } from '../attempt/step-queries.ts';
import { planComments } from '../comments/plan.ts';

export type EndingApp = Pick<Core, 'clock' | 'newId' | 'platformAccess'>;

/** A claimed post in progress. */
export interface OpenPost {
  id: string;
  groupId: string;
  platform: string;
  accountId: string;
  threadParts: ThreadPart[];
  firstComments: FirstComment[];
}

/**
 * Ends a post that can be neither sent nor looked up: its steps decide. `unsent`: why it fails if nothing of it can be
 * on the platform. Returns whether it is published.
 */
export async function endBySteps(
  app: EndingApp,
  tx: Db,
  post: OpenPost & { token: string },
  { unsent, inDoubt }: Record<'unsent' | 'inDoubt', PlatformError>,
): Promise<boolean> {
  const { remotes, isWhole, isInDoubt } = await shownOf(tx, post);
  const now = app.clock.now();
  const ending = { ...post, now, logId: app.newId(), eventId: app.newId() };
  const head = headOf(app, remotes);
  if (head && isWhole) {
    const threadParts = partsAfter(post, remotes, 'published');
    const platform = platformFor(post.platform);
    const comments = platform ? planComments(post.firstComments, platform, now) : { results: [], runAt: null };
    await recordPublished(tx, [{ ...ending, remote: head, threadParts, comments, lastStep: null }]);
    return true;
  }
  const failure = isInDoubt ? inDoubt : unsent;
  const isPartial = post.threadParts.length > 1 && remotes.length > 0;
  await recordFailed(tx, ending, {
    error: { ...publishError(failure, now), ...(isPartial && partiallyPublished(post, remotes.length, failure)) },
    reconnect: null,
    threadParts: isPartial ? partsAfter(post, remotes, 'failed') : null,
    head,
  });
  return false;
}

interface Shown {
  /** One post, or the published parts of a thread in order. */
  remotes: RemotePost[];
  isWhole: boolean;
  /** More may be on the platform than `remotes`. */
  isInDoubt: boolean;
}

/** What the steps of a post prove about the platform. */
async function shownOf(tx: Db, { id, threadParts }: OpenPost): Promise<Shown> {
  const steps = await visibleSteps(tx, id);
  const areEnded = steps.every(({ ended }) => ended);
  if (threadParts.length > 1) {
    const remotes = await publishedParts(tx, id);
    return { remotes, isWhole: remotes.length === threadParts.length, isInDoubt: !areEnded };
  }
  const shown = steps.map(({ result }) => remoteIn(result)).filter((remote) => remote !== null);
  const isWhole = areEnded && shown.length > 0 && !shown.at(-1)!.isPartial;
  return { remotes: shown.slice(0, 1), isWhole, isInDoubt: steps.length > 0 };
}
