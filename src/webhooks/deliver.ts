import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import { startWakeableLoop, type WakeableLoop } from '../lib/wakeable-loop.ts';
import { deliverBatch, type Turn, type Went } from './deliver-batch.ts';
import { endLease, leaseWebhooks, nextDeliveryTime, type Room } from './delivery-queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'egress' | 'sealingKeys' | 'listener' | 'log'>;

/** Webhooks served at once. Those that fail have places of their own: however many hang, the others find room. */
const places: Room = { sound: 128, failing: 64 };
/** Of a process that dies, the rest is taken over then. */
const defaultLeaseMs = 60_000;
const maxSleepMs = 5_000;

export interface Deliverer {
  stop(timeoutMs: number): Promise<void>;
}

/** Delivers what is due: to many webhooks at once, and each on its own, so that a slow one delays no other. */
export function startDeliverer(app: Needs, { leaseMs = defaultLeaseMs } = {}): Deliverer {
  const running = new Map<string, { turn: Turn; failing: boolean; work: Promise<void> }>();
  const aborting = new AbortController();
  let stopping = false;

  async function serve(turn: Turn) {
    try {
      let went: Went = 'more';
      while (went === 'more' && !stopping) went = await deliverBatch(app, turn);
      if (went !== 'released') await endLease(app.db, turn.webhookId, turn.lease);
    } catch (error) {
      app.log.error({ err: error, webhookId: turn.webhookId }, 'delivering failed; it is taken up again');
    } finally {
      // Once released, it may be in our own hands again already.
      if (running.get(turn.webhookId)?.turn === turn) running.delete(turn.webhookId);
      loop.wake();
    }
  }

  async function takeUp() {
    if (stopping) return null;
    const now = app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    const [lease, room] = [randomUUID(), roomBeside([...running.values()])];
    for (const { id, failing } of await leaseWebhooks(app.db, { lease, now, until, room })) {
      const turn: Turn = { webhookId: id, lease, leaseMs, isOver: stopping, signal: aborting.signal };
      running.set(id, { turn, failing, work: serve(turn) });
    }
    return nextDeliveryTime(app.db, roomBeside([...running.values()]));
  }

  const loop: WakeableLoop = startWakeableLoop(takeUp, {
    clock: app.clock,
    maxSleepMs,
    onError: (error) => app.log.error({ err: error }, 'looking for deliveries failed; trying again in a second'),
  });

  const cutShort = (turns: Iterable<{ turn: Turn } | undefined>) => {
    for (const each of turns) if (each) each.turn.isOver = true;
    loop.wake();
  };
  app.listener.on('webhook_due', () => loop.wake());
  app.listener.on('webhook_changed', (id) => cutShort([running.get(id)]));
  app.listener.onGap(() => cutShort(running.values()));

  return {
    async stop(timeoutMs) {
      stopping = true;
      cutShort(running.values());
      await loop.stop();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await Promise.all([...running.values()].map(({ work }) => work));
      clearTimeout(timer);
    },
  };
}

function roomBeside(running: readonly { failing: boolean }[]): Room {
  const failing = running.filter((each) => each.failing).length;
  return { sound: places.sound - (running.length - failing), failing: places.failing - failing };
}
