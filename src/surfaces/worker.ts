import type { App } from '../app.ts';
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
import { httpTasks } from '../foundation/http/tasks.ts';
import { type PeriodicTask, startPeriodicTasks } from '../foundation/periodic/periodic-tasks.ts';

export interface Worker {
  /** Accepts no new work and waits at most this long for running work to end. */
  stop(timeoutMs: number): Promise<void>;
}

/** The background work of this process. */
export async function startWorker(app: App): Promise<Worker> {
  const parts = [
    await startPeriodicTasks(app, periodicTasks(app)),
    await startPublishing(app),
    startWebhooks(app),
    startMail(app),
  ];
  return {
    async stop(timeoutMs) {
      await Promise.all(parts.map((part) => part.stop(timeoutMs)));
    },
  };
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
];
