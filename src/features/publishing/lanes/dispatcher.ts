import type { App } from '../../../app.ts';
import type { WakeableLoop } from '../../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../../foundation/periodic/background-work.ts';
import { type Demotion, demote } from '../../posts/update/demote.ts';
import { endOfWait, logHeldBackPosts } from '../attempt/closed-accounts.ts';
import { failDisconnectedPosts } from '../maintenance/disconnected-posts.ts';
import { type BrokenGroup, dispatchDue, nextDueTime, wakePublishers } from './dispatch-queries.ts';

const batchSize = 1_000;

/** A database trigger wakes the dispatcher for groups that are due soon. Others are found within this time. */
const maxSleepMs = 30_000;

/** Sleeps until the next due time, then hands due groups to the publishers. Any number of processes can run it at once. */
export function startDispatcher(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'listener' | 'log'>,
  onTick: () => void,
): WakeableLoop {
  const loop = startWatchedLoop(
    app,
    'dispatcher',
    async (progress) => {
      const looked = () => {
        progress();
        onTick();
      };
      await dispatch(app, looked);
      await failDisconnectedPosts(app);
      looked();
      const now = app.clock.now();
      return nextDueTime(app.db, now, endOfWait(now));
    },
    { maxSleepMs },
  );
  app.listener.on('post_group_due', () => loop.wake());
  app.listener.onGap(() => loop.wake());
  return loop;
}

/**
 * Dispatches what is due now in order of due time. Groups that cannot be published as they are return to draft. With very
 * much due, `onBatch` shows in between that the work goes on.
 */
export async function dispatch(app: Pick<App, 'db' | 'clock' | 'newId' | 'log'>, onBatch = () => {}) {
  let found = batchSize;
  while (found === batchSize) {
    const now = app.clock.now();
    const { dispatched, broken } = await dispatchDue(app.db, now, batchSize, endOfWait(now));
    if (dispatched > 0) await wakePublishers(app.db);
    for (const group of broken) {
      await app.db.transaction().execute((tx) => demote(app, tx, group.id, demotionOf(group), group.version));
    }
    found = dispatched + broken.length;
    onBatch();
  }
  await logHeldBackPosts(app);
}

const demotionOf = ({ mediaId, mediaCode }: BrokenGroup): Demotion =>
  mediaId === null
    ? { changeType: 'scheduler_state_repair', reason: 'state_mismatch', mediaFileId: null, errorCode: null }
    : {
        changeType: 'scheduler_media_backstop',
        reason: 'media_backstop',
        mediaFileId: mediaId,
        errorCode: mediaCode,
      };
