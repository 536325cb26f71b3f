import type { App } from './app.ts';
import { connectionTasks } from './connections/tasks.ts';
import { httpTasks } from './http/tasks.ts';
import { insightTasks } from './insights/tasks.ts';
import { mediaTasks } from './media/tasks.ts';
import { postTasks } from './posts/tasks.ts';
import { startPublishing } from './publishing/tasks.ts';
import { startWebhooks } from './webhooks/tasks.ts';

export interface Worker {
  /** Takes on no new work and lets the running work end, at most this long. */
  stop(timeoutMs: number): Promise<void>;
}

/** The list of background tasks. */
export async function startWorker(app: App): Promise<Worker> {
  await httpTasks(app);
  await postTasks(app);
  await mediaTasks(app);
  await connectionTasks(app);
  await insightTasks(app);
  const publishing = await startPublishing(app);
  const webhooks = await startWebhooks(app);
  return {
    async stop(timeoutMs) {
      await Promise.all([publishing.stop(timeoutMs), webhooks.stop(timeoutMs), app.jobs.close(timeoutMs)]);
    },
  };
}
