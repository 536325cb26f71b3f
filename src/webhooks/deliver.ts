import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import { type Alarm, startAlarm } from '../lib/alarm.ts';
import {
  type Attempt,
  type DueDelivery,
  endLease,
  leaseWebhooks,
  nextBatch,
  nextDeliveryTime,
  recordAttempts,
} from './delivery-queries.ts';
import { attemptsMade } from './metrics.ts';
import { secretOf } from './own-webhook.ts';
import { nextAttempt } from './schedule.ts';
import { send } from './send.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'egress' | 'sealingKeys' | 'listener' | 'log'>;

const maxWebhooks = 128;
const batchSize = 32;
/** Of one webhook, each for another post. */
const atOnce = 8;
/** More than a batch takes at worst. Of a process that dies, the rest is taken over then. */
const leaseMs = 60_000;
const maxSleepMs = 5_000;
/** Events in a row that nobody took: then the webhook is switched off. */
const maxExhausted = 5;

export interface Deliverer {
  stop(timeoutMs: number): Promise<void>;
}

/** Delivers what is due: to many webhooks at once, and each on its own, so that a slow one delays no other. */
export function startDeliverer(app: Needs): Deliverer {
  const running = new Map<string, Promise<void>>();
  const aborting = new AbortController();
  let stopping = false;

  async function serve(webhookId: string, lease: string) {
    try {
      while (!stopping && (await deliverBatch(app, webhookId, lease, aborting.signal)));
      await endLease(app.db, webhookId, lease);
    } finally {
      running.delete(webhookId);
      alarm.poke();
    }
  }

  const alarm: Alarm = startAlarm(
    async () => {
      const free = stopping ? 0 : maxWebhooks - running.size;
      const lease = randomUUID();
      const leased = free > 0 ? await leaseWebhooks(app.db, { lease, ...leaseTimes(app), limit: free }) : [];
      for (const { id } of leased) {
        const work = serve(id, lease).catch((error: unknown) =>
          app.log.error({ err: error, webhookId: id }, 'delivering failed; it is taken up again'),
        );
        running.set(id, work);
      }
      return running.size < maxWebhooks ? nextDeliveryTime(app.db) : null;
    },
    {
      clock: app.clock,
      maxSleepMs,
      failed: (error) => app.log.error({ err: error }, 'looking for deliveries failed; trying again in a second'),
    },
  );
  app.listener.on('webhook_due', () => alarm.poke());
  app.listener.onGap(() => alarm.poke());

  return {
    async stop(timeoutMs) {
      stopping = true;
      await alarm.stop();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

const leaseTimes = ({ clock }: Needs) => {
  const now = clock.now();
  return { now, until: new Date(now.getTime() + leaseMs) };
};

/** False: nothing is due any more, or the webhook is not ours. */
export async function deliverBatch(
  app: Needs,
  webhookId: string,
  lease: string,
  signal: AbortSignal,
): Promise<boolean> {
  const batch = await nextBatch(app.db, webhookId, { lease, ...leaseTimes(app), limit: batchSize });
  if (!batch || batch.deliveries.length === 0) return false;
  const secret = secretOf(app, { id: webhookId, secret: batch.secret });
  const attempts: Attempt[] = [];
  // Of one post in order; posts beside each other.
  const posts = [...Map.groupBy(batch.deliveries, ({ postGroupId, id }) => postGroupId ?? id).values()];
  const worker = async () => {
    for (let post = posts.shift(); post; post = posts.shift()) {
      for (const delivery of post) attempts.push(await attempt(app, batch.url, secret, delivery, signal));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await recordAttempts(app.db, webhookId, attempts, tallyOf(attempts), { maxExhausted, now: app.clock.now() });
  return attempts.every(({ status }) => status !== gone);
}

const gone = 410;

async function attempt(
  app: Needs,
  url: string,
  secret: string,
  { id, event, body, attempts }: DueDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const at = app.clock.now();
  const started = performance.now();
  const { status, error, answer, retryAfterSeconds } = await send(
    app,
    url,
    { id, event, body, secret, now: at },
    signal,
  );
  const durationMs = Math.round(performance.now() - started);
  const arrived = status !== null && status >= 200 && status < 300;
  const outcome = arrived ? 'delivered' : (nextAttempt(attempts + 1, retryAfterSeconds, app.clock.now()) ?? 'failed');
  attemptsMade.inc({ outcome: arrived ? 'delivered' : 'failed' });
  return { id: app.newId(), deliveryId: id, at, durationMs, status, error, answer, outcome };
}

/** Failures in a row: those after the batch's last success, or, without one, on top of those before. */
function tallyOf(attempts: readonly Attempt[]) {
  const lastSuccess = attempts.findLastIndex(({ outcome }) => outcome === 'delivered');
  const since = attempts.slice(lastSuccess + 1);
  return {
    failureCount: since.length,
    failuresAdd: lastSuccess === -1,
    exhausted: since.filter(({ outcome }) => outcome === 'failed').length,
    exhaustedAdd: lastSuccess === -1,
    gone: attempts.some(({ status }) => status === gone),
  };
}
