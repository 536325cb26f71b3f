import { sql } from 'kysely';
import type { App } from '../../../src/app.ts';
import { publishNext } from '../../../src/features/publishing/attempt/attempt.ts';
import { withBatchedWrites } from '../../../src/features/publishing/attempt/batched-writes.ts';
import { deferredStepStore } from '../../../src/features/publishing/attempt/step-store.ts';
import { dispatch } from '../../../src/features/publishing/lanes/dispatcher.ts';
import { sendHeartbeat } from '../../../src/features/publishing/lanes/heartbeat-queries.ts';
import { claimLanes, releaseLane } from '../../../src/features/publishing/lanes/lane-queries.ts';
import { endDisconnectedPosts } from '../../../src/features/publishing/maintenance/disconnected-posts.ts';
import { connectables } from '../../../src/platforms/index.ts';
import type { TestUser } from '../service/service.ts';

/** Effectively no limit on any network. */
export const everyPlace = Object.fromEntries(Object.keys(connectables).map((id) => [id, 1000]));

/** Does a worker's job for due posts, once and to the end, by the app's clock. */
export async function publishDue(app: App, worker = 'test-worker') {
  await dispatch(app);
  await endDisconnectedPosts(app);
  await publishLanes(app, worker);
}

/** Does a publisher's job without a dispatcher's, except for posts that are due. */
export async function publishLanes(app: App, worker = 'test-worker') {
  await dispatch(app);
  // Twice: only a worker with an earlier heartbeat may judge others and release orphaned lanes.
  const first = await sendHeartbeat(app.db, { id: worker, lanes: [], dispatchedAt: null }, 60);
  await sendHeartbeat(app.db, { id: worker, lanes: [], orphanedLanes: first.orphanedLanes, dispatchedAt: null }, 60);
  const lanes = await claimLanes(app.db, worker, app.clock.now(), everyPlace);
  const publishing = withBatchedWrites(app);
  for (const { connectionId: lane } of lanes) {
    while (await publishNext(publishing, worker, lane, new AbortController().signal));
    await releaseLane(app.db, worker, lane, app.clock.now());
  }
}

/** A due post of the user that a worker has claimed, with the step store of its run. */
export async function claimedRun(service: App, user: TestUser) {
  const app = withBatchedWrites(service);
  const platforms = [await user.aConnection()];
  await user.call('POST', '/create-post', { content: 'Held', platforms, publishNow: true });
  await dispatch(app);
  const [lane] = await claimLanes(app.db, 'worker', app.clock.now(), everyPlace);
  const token = app.newId();
  const logIds = [app.newId(), app.newId()] as const;
  const claim = { worker: 'worker', connectionId: lane!.connectionId, token, logIds, now: app.clock.now() };
  const { id } = (await app.writes.claim(claim))!;
  return { id, steps: deferredStepStore(app, { id, token }) };
}

/** Simulates that the timeout of every request so far has passed: a request that has not arrived by now never will. */
export const requestsAreOver = ({ db }: Pick<App, 'db'>) =>
  sql`update publish_steps set last_sent_at = 'epoch'`.execute(db);
