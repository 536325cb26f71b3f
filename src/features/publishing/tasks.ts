import type { App } from '../../app.ts';
import { watchWork } from '../../foundation/periodic/background-work.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily } from '../../foundation/periodic/schedule.ts';
import { retentionStart } from '../../foundation/time/retention-start.ts';
import { withBatchedWrites } from './attempt/batched-writes.ts';
import { startDispatcher } from './lanes/dispatcher.ts';
import {
  announceJoining,
  announceLeaving,
  heartbeatMs,
  partitionAmong,
  removeWorker,
  selectOthers,
  sendHeartbeat,
  silentSeconds,
  tellFirstLook,
} from './lanes/heartbeat-queries.ts';
import { startPublisher } from './lanes/publisher.ts';
import { deleteOldSteps, pruneDeletedPosts } from './maintenance/prune-queries.ts';

export const publishingTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-publish-steps',
    schedule: daily('04:27'),
    run: (signal) => deleteOldSteps(db, retentionStart(config.retention.steps, clock.now()), signal),
  },
  { name: 'prune-deleted-posts', schedule: daily('04:29'), run: (signal) => pruneDeletedPosts(db, signal) },
];

/** Runs the dispatcher and publisher of this process, and the heartbeat that lets other workers notice if it dies. */
export async function startPublishing(app: App): Promise<{ stop(timeoutMs: number): Promise<void> }> {
  const id = app.workerId;
  let dispatchedAt: Date | null = null;
  let stopped = false;
  const serves = app.config.networksServed;
  /** Workers that are about to stop. They claim no more lanes, so the others share all of them. */
  const leaving = new Set<string>();
  let { others, orphanedLanes } = await sendHeartbeat(app.db, { id, lanes: [], dispatchedAt, serves }, silentSeconds);
  const publisher = startPublisher(withBatchedWrites(app), id, (platform) =>
    partitionAmong(
      others.filter((other) => !leaving.has(other.id)),
      id,
      platform,
    ),
  );
  const dispatcher = startDispatcher(app, () => {
    const now = app.clock.now();
    // If this fails, the next heartbeat reports it.
    if (dispatchedAt === null) void tellFirstLook(app.db, id, now).catch(() => {});
    dispatchedAt = now;
  });
  const health = watchWork(app, 'heartbeat');
  const timer = setInterval(async () => {
    try {
      const worker = { id, lanes: publisher.lanes(), orphanedLanes, dispatchedAt, serves };
      const heartbeat = await sendHeartbeat(app.db, worker, silentSeconds);
      ({ others, orphanedLanes } = heartbeat);
      for (const gone of leaving) if (!others.some((other) => other.id === gone)) leaving.delete(gone);
      if (heartbeat.freed > 0) publisher.wake();
      health.succeeded();
    } catch (error) {
      if (!stopped) health.failed(error);
    }
  }, heartbeatMs);
  app.listener.on('worker_joined', async (other) => {
    if (other === id || stopped) return;
    // If this fails, the next heartbeat returns them.
    others = await selectOthers(app.db, id).catch(() => others);
    publisher.wake();
  });
  // If this fails, the others notice with their next heartbeat.
  await announceJoining(app.db, id).catch(() => {});
  app.listener.on('worker_leaving', (other) => {
    if (other === id || stopped) return;
    leaving.add(other);
    publisher.wake();
  });

  return {
    async stop(timeoutMs) {
      // Without this, the others would leave each lane of this worker waiting for a second.
      await announceLeaving(app.db, id).catch(health.failed);
      await dispatcher.stop();
      await publisher.stop(timeoutMs);
      stopped = true;
      clearInterval(timer);
      await removeWorker(app.db, id);
    },
  };
}
