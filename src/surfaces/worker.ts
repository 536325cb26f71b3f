import type { App } from '../app.ts';
import { accountDataTasks } from '../features/account-data/tasks.ts';
import { auditTasks } from '../features/audit/tasks.ts';
import { authTasks } from '../features/auth/tasks.ts';
import { connectionTasks } from '../features/connections/tasks.ts';
import { mediaTasks } from '../features/files/tasks.ts';
import { insightTasks } from '../features/insights/tasks.ts';
import { interactionTasks } from '../features/interactions/tasks.ts';
import { mailTasks, startMail } from '../features/mail/tasks.ts';
import { postTasks } from '../features/posts/tasks.ts';
import { publishingTasks, startPublishing } from '../features/publishing/tasks.ts';
import { requestLogTasks } from '../features/request-log/tasks.ts';
import { streamTasks } from '../features/stream/tasks.ts';
import { startWebhooks, webhookTasks } from '../features/webhooks/tasks.ts';
import type { Retrying } from '../foundation/db/database-down.ts';
import { httpTasks } from '../foundation/http/tasks.ts';
import { type PeriodicTask, startPeriodicTasks } from '../foundation/periodic/periodic-tasks.ts';

export interface Worker {
  /** Accepts no new work and waits at most this long for running work to end. */
  stop(timeoutMs: number): Promise<void>;
}

/** The background work of this process. */
export async function startWorker(app: App, retrying: Retrying = (step) => step()): Promise<Worker> {
  const parts: Worker[] = [];
  const worker = {
    async stop(timeoutMs: number) {
      await Promise.all(parts.map((part) => part.stop(timeoutMs)));
    },
  };
  try {
    parts.push(await retrying(() => startPeriodicTasks(app, periodicTasks(app))));
    parts.push(await retrying(() => startPublishing(app)));
  } catch (error) {
    // Otherwise the parts that have started would keep the process alive.
    await worker.stop(0).catch(() => {});
    throw error;
  }
  parts.push(startWebhooks(app), startMail(app));
  return worker;
}

/** Everything that runs on a schedule. */
export const periodicTasks = (app: App): PeriodicTask[] => [
  ...httpTasks(app),
  ...auditTasks(app),
  ...mailTasks(app),
  ...authTasks(app),
  ...requestLogTasks(app),
  ...connectionTasks(app),
  ...mediaTasks(app),
  ...postTasks(app),
  ...publishingTasks(app),
  ...interactionTasks(app),
  ...insightTasks(app),
  ...webhookTasks(app),
  ...streamTasks(app),
  ...accountDataTasks(app),
];
