import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import type { WakeableLoop } from '../lib/wakeable-loop.ts';
import { startWatchedLoop } from '../periodic/background-work.ts';
import { backgroundFailures } from '../periodic/metrics.ts';
import { type BatchOutcome, deliverBatch, type LeasedWebhook } from './deliver-batch.ts';
import { endLease, leaseWebhooks, nextDeliveryTime, type Slots } from './delivery-queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'egress' | 'sealingKeys' | 'listener' | 'log'>;

/** Webhooks served at once. Failing ones have their own slots: however many of them hang, healthy ones find a slot. */
const slots: Slots = { healthy: 128, failing: 64 };
/** When a process dies, others take over its webhooks after this time. */
const defaultLeaseMs = 60_000;
const maxSleepMs = 5_000;
const task = 'webhook-deliverer';

export interface Deliverer {
  stop(timeoutMs: number): Promise<void>;
}

/** Sends due deliveries to many webhooks at once, each independently of the others, so that a slow one delays no other. */
export function startDeliverer(app: Needs, { leaseMs = defaultLeaseMs } = {}): Deliverer {
  const running = new Map<string, { leased: LeasedWebhook; failing: boolean; work: Promise<void> }>();
  const aborting = new AbortController();
  let stopping = false;

  async function serve(leased: LeasedWebhook) {
    try {
      let outcome: BatchOutcome = 'more';
      while (outcome === 'more' && !stopping) outcome = await deliverBatch(app, leased);
      if (outcome !== 'released') await endLease(app.db, leased.webhookId, leased.lease);
    } catch (error) {
      backgroundFailures.inc({ task });
      app.log.error(
        { err: error, task, webhookId: leased.webhookId },
        'delivering failed; it is retried when the lease ends',
      );
    } finally {
      // This process may have leased a released webhook again already.
      if (running.get(leased.webhookId)?.leased === leased) running.delete(leased.webhookId);
      loop.wake();
    }
  }

  async function leaseDue() {
    if (stopping) return null;
    const now = app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    const [lease, free] = [randomUUID(), freeSlots([...running.values()])];
    for (const { id, failing } of await leaseWebhooks(app.db, { lease, now, until, free })) {
      const leased: LeasedWebhook = { webhookId: id, lease, leaseMs, isInterrupted: stopping, signal: aborting.signal };
      running.set(id, { leased, failing, work: serve(leased) });
    }
    return nextDeliveryTime(app.db, freeSlots([...running.values()]));
  }

  const loop: WakeableLoop = startWatchedLoop(app, task, leaseDue, { maxSleepMs });

  const interrupt = (entries: Iterable<{ leased: LeasedWebhook } | undefined>) => {
    for (const entry of entries) if (entry) entry.leased.isInterrupted = true;
    loop.wake();
  };
  app.listener.on('webhook_due', () => loop.wake());
  app.listener.on('webhook_changed', (id) => interrupt([running.get(id)]));
  app.listener.onGap(() => interrupt(running.values()));

  return {
    async stop(timeoutMs) {
      stopping = true;
      interrupt(running.values());
      await loop.stop();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await Promise.all([...running.values()].map(({ work }) => work));
      clearTimeout(timer);
    },
  };
}

function freeSlots(running: readonly { failing: boolean }[]): Slots {
  const failing = running.filter((entry) => entry.failing).length;
  return { healthy: slots.healthy - (running.length - failing), failing: slots.failing - failing };
}
