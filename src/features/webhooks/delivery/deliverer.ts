import { randomUUID } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { WakeableLoop } from '../../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../../foundation/periodic/background-work.ts';
import { backgroundFailures } from '../../../foundation/periodic/metrics.ts';
import { type BatchOutcome, type DeliveryApp, deliverBatch, inTurn, type LeasedWebhook } from './deliver-batch.ts';
import { type Capacity, endLease, leaseWebhooks, nextDeliveryTime } from './lease-queries.ts';
import { settleSome } from './settle-queries.ts';

/**
 * Webhooks served concurrently. Those that fail or respond slowly have separate capacity, so that they do not delay
 * others.
 */
const capacity: Capacity = { quick: 128, slow: 64 };
/**
 * A webhook that was served as quick and turns out to be slow no longer counts as quick. This is the maximum number
 * of such webhooks.
 */
const maxOverrunning = 256;
/** After this time, a webhook with more to deliver yields to another one whose turn has come. */
const turnMs = 1_000;
/** If a process dies, others take over its webhooks after this time. */
const defaultLeaseMs = 60_000;
const maxSleepMs = 5_000;
const task = 'webhook-deliverer';

interface Serving {
  readonly leased: LeasedWebhook;
  readonly work: Promise<void>;
  kind: 'quick' | 'slow' | 'overrunning';
}

export interface Deliverer {
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Sends due deliveries to many webhooks concurrently, alternating between owners, so that a slow one does not delay
 * the others.
 */
export function startDeliverer(app: DeliveryApp & Pick<App, 'listener'>, { leaseMs = defaultLeaseMs } = {}): Deliverer {
  const running = new Map<string, Serving>();
  const aborting = new AbortController();
  let stopping = false;

  async function serve(leased: LeasedWebhook) {
    try {
      const turnEnd = performance.now() + turnMs;
      let outcome: BatchOutcome = 'more';
      while (outcome === 'more' && !stopping && performance.now() < turnEnd) outcome = await deliverBatch(app, leased);
      if (outcome !== 'released') {
        await inTurn(leased, () => endLease(app.db, leased.webhookId, leased.lease));
      }
    } catch (error) {
      backgroundFailures.inc({ task });
      app.log.error(
        { err: error, task, webhookId: leased.webhookId },
        'delivering failed; it is retried when the lease ends',
      );
    } finally {
      // This process may already have leased a released webhook again.
      if (running.get(leased.webhookId)?.leased === leased) running.delete(leased.webhookId);
      loop.wake();
    }
  }

  async function leaseDue() {
    if (stopping) return null;
    const now = app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    const isSettling = (await settleSome(app.db, now)) > 0;
    const [lease, free] = [randomUUID(), freeCapacity([...running.values()])];
    for (const { id, slow } of await leaseWebhooks(app.db, { lease, now, until, free })) {
      const onSlow = () => overrun(leased);
      const { signal } = aborting;
      const state = { isSlow: slow, isInterrupted: stopping };
      const leased: LeasedWebhook = { webhookId: id, lease, leaseMs, ...state, signal, onSlow };
      running.set(id, { leased, kind: slow ? 'slow' : 'quick', work: serve(leased) });
    }
    return isSettling ? now : nextDeliveryTime(app.db, now, freeCapacity([...running.values()]));
  }

  function overrun(leased: LeasedWebhook) {
    leased.isSlow = true;
    const serving = running.get(leased.webhookId);
    if (serving?.leased !== leased || serving.kind !== 'quick') return;
    serving.kind = 'overrunning';
    loop.wake();
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

function freeCapacity(running: readonly Serving[]): Capacity {
  const { quick = [], slow = [], overrunning = [] } = Object.groupBy(running, ({ kind }) => kind);
  return {
    quick: Math.min(capacity.quick - quick.length, maxOverrunning - overrunning.length),
    slow: capacity.slow - slow.length,
  };
}
