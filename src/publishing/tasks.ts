import type { App } from '../app.ts';
import { withBatchedWrites } from './batched-writes.ts';
import { startDispatcher } from './dispatcher.ts';
import { beat, leave } from './lane-queries.ts';
import { startPublisher } from './publisher.ts';

const beatEveryMs = 2_000;
/** Three missed beats: a killed worker's posts go on after six to eight seconds. */
const silentSeconds = 6;

/** Dispatcher and publisher of this process, and the heartbeat that lets the others notice if it dies. */
export async function startPublishing(app: App): Promise<{ stop(timeoutMs: number): Promise<void> }> {
  const id = app.workerId;
  let dispatchedAt: Date | null = null;
  let stopped = false;
  let { share, strays } = await beat(app.db, { id, lanes: [], dispatchedAt }, silentSeconds);
  const publisher = startPublisher(withBatchedWrites(app), id, () => share);
  const dispatcher = startDispatcher(app, () => {
    dispatchedAt = app.clock.now();
  });
  const timer = setInterval(async () => {
    try {
      const heard = await beat(app.db, { id, lanes: publisher.lanes(), strays, dispatchedAt }, silentSeconds);
      ({ share, strays } = heard);
      if (heard.freed > 0) publisher.wake();
    } catch (error) {
      if (!stopped) app.log.warn({ err: error }, 'no heartbeat: the database does not answer');
    }
  }, beatEveryMs);

  return {
    async stop(timeoutMs) {
      await dispatcher.stop();
      await publisher.stop(timeoutMs);
      stopped = true;
      clearInterval(timer);
      await leave(app.db, id);
    },
  };
}
