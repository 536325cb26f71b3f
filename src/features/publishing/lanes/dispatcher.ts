import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { WakeableLoop } from '../../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../../foundation/periodic/background-work.ts';
import { type Demotion, demote } from '../../posts/update/demote.ts';
import { endOfWait, logHeldBackPosts, notSentWhileLeaving } from '../attempt/closed-accounts.ts';
import { endDisconnectedPosts } from '../maintenance/disconnected-posts.ts';
import { type BrokenGroup, dispatchDue, insertHeldBackLogs, nextDueTime, wakePublishers } from './dispatch-queries.ts';

const batchSize = 1_000;

/**
 * Each demotion takes several statements. Without a limit, a user with many of them would delay other users' due
 * posts.
 */
const demotionsInARow = 20;

/** The maximum number of unpublishable groups that one run tracks. */
const maxBroken = 20_000;

/** A database trigger wakes the dispatcher for groups that are due soon. Other groups are found within this time. */
const maxSleepMs = 30_000;

/**
 * Sleeps until the next due time, then hands due groups to the publishers. Any number of processes can run it
 * concurrently.
 */
export function startDispatcher(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'listener' | 'log' | 'platformAccess'>,
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
      let isMoreToEnd = false;
      await dispatch(app, async () => {
        looked();
        isMoreToEnd = await endDisconnectedPosts(app);
      });
      looked();
      const now = app.clock.now();
      return isMoreToEnd ? now : nextDueTime(app.db, now, endOfWait(now));
    },
    { maxSleepMs },
  );
  app.listener.on('post_group_due', () => loop.wake());
  app.listener.onGap(() => loop.wake());
  return loop;
}

/**
 * Dispatches due groups in order of due time. Groups that cannot be published return to draft, a few at a time, and
 * newly due groups are dispatched in between. Calls `onBatch` after each batch.
 */
export async function dispatch(app: Pick<App, 'db' | 'clock' | 'newId' | 'log'>, onBatch: () => unknown = () => {}) {
  const broken: BrokenGroup[] = [];
  let demoted = 0;
  do {
    await dispatchPublishable(app, broken, onBatch);
    for (const group of broken.slice(demoted, demoted + demotionsInARow)) {
      await app.db.transaction().execute((tx) => returnToDraft(app, tx, group));
      demoted += 1;
    }
  } while (demoted < broken.length);
  await logHeldBackPosts(app);
}

/** Adds unpublishable groups to `broken` and skips those already in it. */
async function dispatchPublishable(app: Pick<App, 'db' | 'clock'>, broken: BrokenGroup[], onBatch: () => unknown) {
  let found: number;
  do {
    const now = app.clock.now();
    const known = broken.map(({ id }) => id);
    const batch = await dispatchDue(app.db, now, batchSize, endOfWait(now), known);
    if (batch.dispatched > 0) await wakePublishers(app.db);
    broken.push(...batch.broken);
    found = batch.dispatched + batch.broken.length;
    await onBatch();
  } while (found === batchSize && broken.length < maxBroken);
}

async function returnToDraft(app: Pick<App, 'clock' | 'newId'>, tx: Db, group: BrokenGroup) {
  const isDemoted = await demote(app, tx, group.id, demotionOf(group), group.version);
  if (!isDemoted || !group.isLeaving) return;
  const entry = { id: app.newId(), groupId: group.id, userId: group.userId };
  await insertHeldBackLogs(tx, [entry], notSentWhileLeaving, app.clock.now());
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
