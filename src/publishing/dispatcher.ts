import type { App } from '../app.ts';
import { startWakeableLoop, type WakeableLoop } from '../lib/wakeable-loop.ts';
import { type Demotion, demote } from '../posts/demote.ts';
import { failDisconnectedPosts } from './disconnected-posts.ts';
import { type BrokenGroup, dispatchDue, nextDueTime, wakePublishers } from './lane-queries.ts';

const batch = 1_000;

/** Groups due soon wake us (a trigger in the database sees to it); anything else is found within this. */
const maxSleepMs = 30_000;

/** Sleeps until the next due time, then hands what is due to the publishers. Safe in any number of processes at once. */
export function startDispatcher(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'listener' | 'log'>,
  ticked: () => void,
): WakeableLoop {
  const loop = startWakeableLoop(
    async () => {
      await dispatch(app);
      await failDisconnectedPosts(app);
      ticked();
      return nextDueTime(app.db);
    },
    {
      clock: app.clock,
      maxSleepMs,
      onError: (error) => app.log.error({ err: error }, 'dispatching failed; trying again in a second'),
    },
  );
  app.listener.on('post_group_due', () => loop.wake());
  app.listener.onGap(() => loop.wake());
  return loop;
}

/** Everything that is due now, in order of due time. What cannot go out as it is becomes a draft again, and says why. */
export async function dispatch(app: Pick<App, 'db' | 'clock' | 'newId'>) {
  let found = batch;
  while (found === batch) {
    const { dispatched, broken } = await dispatchDue(app.db, app.clock.now(), batch);
    if (dispatched > 0) await wakePublishers(app.db);
    for (const group of broken) {
      await app.db.transaction().execute((tx) => demote(app, tx, group.id, reasonFor(group), group.version));
    }
    found = dispatched + broken.length;
  }
}

const reasonFor = ({ mediaId, mediaCode }: BrokenGroup): Demotion =>
  mediaId === null
    ? { changeType: 'scheduler_state_repair', reason: 'state_mismatch', mediaFileId: null, errorCode: null }
    : {
        changeType: 'scheduler_media_backstop',
        reason: 'media_backstop',
        mediaFileId: mediaId,
        errorCode: mediaCode,
      };
