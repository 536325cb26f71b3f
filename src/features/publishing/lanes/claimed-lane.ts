import { setTimeout as sleep } from 'node:timers/promises';
import { publishNext } from '../attempt/attempt.ts';
import type { PublishingApp } from '../attempt/batched-writes.ts';
import { wakePublishers } from './dispatch-queries.ts';
import { dispatch } from './dispatcher.ts';
import { heartbeatMs, removeWorker, sendHeartbeat, silentSeconds } from './heartbeat-queries.ts';
import { type Lane, releaseLane, takeLane } from './lane-queries.ts';

/** The lane of one connection. No worker publishes from it while it is claimed. */
export interface ClaimedLane extends AsyncDisposable {
  /** Publishes the due posts of this group. Other posts of the connection wait until the lane is released. */
  run(groupId: string, signal: AbortSignal): Promise<void>;
}

const triesPerSecond = 5;

/** Waits until the worker that is currently publishing from the lane is done. */
export async function claimLane(app: PublishingApp, lane: Lane & { userId: string }): Promise<ClaimedLane> {
  const worker = `claimed-${app.newId()}`;
  const beat = () =>
    sendHeartbeat(app.db, { id: worker, lanes: [lane.connectionId], dispatchedAt: null }, silentSeconds);
  await beat();
  const timer = setInterval(
    () => void beat().catch((error) => app.log.warn({ err: error }, 'heartbeat')),
    heartbeatMs,
  ).unref();
  while (!(await takeLane(app.db, worker, lane))) await sleep(1000 / triesPerSecond);
  return {
    async run(groupId, signal) {
      await dispatch(app);
      while (await publishNext(app, worker, lane.connectionId, signal, groupId));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await releaseLane(app.db, worker, lane.connectionId, app.clock.now());
      await removeWorker(app.db, worker);
      // Posts may have become due in the meantime.
      await wakePublishers(app.db);
    },
  };
}
