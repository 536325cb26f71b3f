import { accountTasks } from './accounts/tasks.ts';
import type { App } from './app.ts';
import { auditTasks } from './audit/tasks.ts';
import { connectionTasks } from './connections/tasks.ts';
import { httpTasks } from './http/tasks.ts';
import { insightTasks } from './insights/tasks.ts';
import { interactionTasks } from './interactions/tasks.ts';
import { mailTasks, startMail } from './mail/tasks.ts';
import { mcpTasks } from './mcp/tasks.ts';
import { mediaTasks } from './media/tasks.ts';
import { type PeriodicTask, startPeriodicTasks } from './periodic/periodic-tasks.ts';
import { postTasks } from './posts/tasks.ts';
import { publishingTasks, startPublishing } from './publishing/tasks.ts';
import { streamTasks } from './stream/tasks.ts';
import { startWebhooks, webhookTasks } from './webhooks/tasks.ts';

export interface Worker {
  /** Takes on no new work and lets the running work end, at most this long. */
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
  ...accountTasks(app),
  ...connectionTasks(app),
  ...mediaTasks(app),
  ...postTasks(app),
  ...publishingTasks(app),
  ...interactionTasks(app),
  ...insightTasks(app),
  ...webhookTasks(app),
  ...streamTasks(app),
  ...mcpTasks(app),
];
