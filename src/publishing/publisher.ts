import { type Alarm, startAlarm } from '../lib/alarm.ts';
import type { PublishingApp } from './journal.ts';
import { claimLanes, leaveLane, nextLaneTime } from './lane-queries.ts';
import { publishNext } from './publish-post.ts';

export interface Publisher {
  /** Connections whose lanes run here now. */
  lanes(): string[];
  poke(): void;
  /** Takes no more lanes and lets the running posts end, at most this long. */
  stop(timeoutMs: number): Promise<void>;
}

const maxLanes = 128;
const maxSleepMs = 5_000;

/** Runs the lanes of connections whose posts are due: many at once, and in each one post after the other. */
export function startPublisher(app: PublishingApp, worker: string): Publisher {
  const lanes = new Map<string, Promise<void>>();
  const aborting = new AbortController();
  let stopping = false;

  async function runLane(connectionId: string) {
    try {
      while (!stopping && (await publishNext(app, worker, connectionId, aborting.signal)));
      await leaveLane(app.db, worker, connectionId, app.clock.now());
    } finally {
      lanes.delete(connectionId);
      alarm.poke();
    }
  }

  const alarm: Alarm = startAlarm(
    async () => {
      const free = stopping ? 0 : maxLanes - lanes.size;
      for (const id of free > 0 ? await claimLanes(app.db, worker, app.clock.now(), free) : []) {
        const lane = runLane(id).catch((error: unknown) =>
          app.log.error({ err: error, connection: id }, 'lane failed'),
        );
        lanes.set(id, lane);
      }
      // When full, a lane that ends pokes us; asking for the time of a lane we cannot take would spin.
      return lanes.size < maxLanes ? nextLaneTime(app.db) : null;
    },
    {
      clock: app.clock,
      maxSleepMs,
      failed: (error) => app.log.error({ err: error }, 'claiming lanes failed; trying again in a second'),
    },
  );
  app.listener.on('lane_ready', () => alarm.poke());
  app.listener.onGap(() => alarm.poke());

  return {
    lanes: () => [...lanes.keys()],
    poke: () => alarm.poke(),
    async stop(timeoutMs) {
      stopping = true;
      await alarm.stop();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await Promise.all(lanes.values());
      clearTimeout(timer);
    },
  };
}
