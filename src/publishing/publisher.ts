import { startWakeableLoop, type WakeableLoop } from '../lib/wakeable-loop.ts';
import { connectables } from '../platforms/index.ts';
import { publishNext } from './attempt.ts';
import type { PublishingApp } from './batched-writes.ts';
import { claimLanes, countTurns, type Lane, leaveLane, nextLaneTime, type Share } from './lane-queries.ts';

export interface Publisher {
  /** Connections whose lanes run here now. */
  lanes(): string[];
  wake(): void;
  /** Takes no more lanes and lets the running posts end, at most this long. */
  stop(timeoutMs: number): Promise<void>;
}

/** Each network has places of its own: one that does not answer holds up no other. */
const lanesPerPlatform = 256;
/** After so many posts, a lane gives its place to another whose turn has come. */
const postsInATurn = 4;
const maxSleepMs = 5_000;
const platformIds = Object.keys(connectables);

/** Runs the lanes of connections whose posts are due: many at once, and in each one post after the other. */
export function startPublisher(app: PublishingApp, worker: string, share: () => Share): Publisher {
  const lanes = new Map<string, { platform: string; run: Promise<void> }>();
  /** By network without a place: how many wait whose turn has come. */
  const waiting = new Map<string, number>();
  const aborting = new AbortController();
  let stopping = false;

  async function runLane({ connectionId, platform }: Lane) {
    try {
      for (let posts = 1; !stopping; posts += 1) {
        if (!(await publishNext(app, worker, connectionId, aborting.signal))) break;
        if (posts >= postsInATurn && givesWay(platform)) break;
      }
      await leaveLane(app.db, worker, connectionId, app.clock.now());
    } finally {
      lanes.delete(connectionId);
      loop.wake();
    }
  }

  function givesWay(platform: string): boolean {
    const others = waiting.get(platform) ?? 0;
    if (others > 0) waiting.set(platform, others - 1);
    return others > 0;
  }

  function freePlaces(): Record<string, number> {
    const free = Object.fromEntries(platformIds.map((id) => [id, stopping ? 0 : lanesPerPlatform]));
    for (const { platform } of lanes.values()) free[platform] = Math.max(0, (free[platform] ?? 0) - 1);
    return free;
  }

  function start(lane: Lane) {
    // Taken from us, while we were believed dead, and given back: it runs already, and a second run would fight the first.
    if (lanes.has(lane.connectionId)) return;
    const failed = (error: unknown) => app.log.error({ err: error, connection: lane.connectionId }, 'lane failed');
    lanes.set(lane.connectionId, { platform: lane.platform, run: runLane(lane).catch(failed) });
  }

  async function countWaiting(full: readonly string[], now: Date) {
    const turns = full.length > 0 ? await countTurns(app.db, full, now, lanesPerPlatform) : [];
    waiting.clear();
    for (const turn of turns) waiting.set(turn.platform, turn.waiting);
  }

  const loop: WakeableLoop = startWakeableLoop(
    async () => {
      const now = app.clock.now();
      for (const lane of await claimLanes(app.db, worker, now, freePlaces(), share())) start(lane);
      const free = freePlaces();
      await countWaiting(
        platformIds.filter((id) => free[id] === 0),
        now,
      );
      // Where it is full, a lane that ends pokes us; asking for the time of a lane we cannot take would spin.
      const open = platformIds.filter((id) => free[id] !== 0);
      return nextLaneTime(app.db, open, share());
    },
    {
      clock: app.clock,
      maxSleepMs,
      onError: (error) => app.log.error({ err: error }, 'claiming lanes failed; trying again in a second'),
    },
  );
  app.listener.on('lane_ready', () => loop.wake());
  app.listener.onGap(() => loop.wake());

  return {
    lanes: () => [...lanes.keys()],
    wake: () => loop.wake(),
    async stop(timeoutMs) {
      stopping = true;
      await loop.stop();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await Promise.all(lanes.values().map(({ run }) => run));
      clearTimeout(timer);
    },
  };
}
