import type { App } from '../../../app.ts';
import type { WakeableLoop } from '../../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop } from '../../../foundation/periodic/background-work.ts';
import { publishNext } from '../attempt/attempt.ts';
import type { PublishingApp } from '../attempt/batched-writes.ts';
import {
  claimLanes,
  countWaitingLanes,
  fullShares,
  type Lane,
  nextLaneTime,
  type OwnedLane,
  type PartitionOf,
  releaseLane,
  type Share,
} from './lane-queries.ts';

export interface Publisher {
  /** Connections whose lanes run in this process. */
  lanes(): string[];
  wake(): void;
  /** Stops claiming lanes and waits up to this long for running posts to finish. */
  stop(timeoutMs: number): Promise<void>;
}

/** Each platform has its own capacity, so an unresponsive platform does not delay the others. */
const lanesPerPlatform = 256;
/** After this many posts, a lane yields to another lane whose turn has come. */
const postsPerTurn = 4;
const maxSleepMs = 5_000;

/** Runs the lanes of connections with due posts: many lanes concurrently, one post at a time in each. */
export function startPublisher(app: App & PublishingApp, worker: string, partitionOf: PartitionOf): Publisher {
  const platformIds = app.config.networksServed;
  const lanes = new Map<string, { platform: string; owner: string; run: Promise<void> }>();
  /**
   * The number of lanes waiting although their turn has come, for each platform that has no free lane for some owner.
   */
  const waiting = new Map<string, number>();
  const aborting = new AbortController();
  let stopping = false;

  async function runLane({ connectionId, platform }: Lane) {
    try {
      for (let posts = 1; !stopping; posts += 1) {
        if (!(await publishNext(app, worker, connectionId, aborting.signal))) break;
        if (posts >= postsPerTurn && makesRoom(platform)) break;
      }
      await releaseLane(app.db, worker, connectionId, app.clock.now());
    } finally {
      lanes.delete(connectionId);
      loop.wake();
    }
  }

  /** Returns true for as many lanes as are waiting. */
  function makesRoom(platform: string): boolean {
    const others = waiting.get(platform) ?? 0;
    if (others > 0) waiting.set(platform, others - 1);
    return others > 0;
  }

  function freeLanes(): Record<string, number> {
    const free = Object.fromEntries(platformIds.map((id) => [id, stopping ? 0 : lanesPerPlatform]));
    for (const { platform } of lanes.values()) free[platform] = Math.max(0, (free[platform] ?? 0) - 1);
    return free;
  }

  function running(): Share[] {
    const shares = Map.groupBy(lanes.values(), ({ platform, owner }) => `${platform} ${owner}`);
    return [...shares.values()].map((ofOwner) => {
      const { platform, owner } = ofOwner[0]!;
      return { platform, owner, lanes: ofOwner.length };
    });
  }

  function start(lane: OwnedLane) {
    // Other workers considered this worker dead and freed the lane, and this worker has now claimed it again while it
    // is still running. A second run would compete with the first.
    if (lanes.has(lane.connectionId)) return;
    const failed = (error: unknown) => app.log.error({ err: error, connection: lane.connectionId }, 'lane failed');
    const { platform, owner } = lane;
    lanes.set(lane.connectionId, { platform, owner, run: runLane(lane).catch(failed) });
  }

  async function countWaiting(fullPlatforms: readonly string[], now: Date) {
    const counts =
      fullPlatforms.length > 0 ? await countWaitingLanes(app.db, fullPlatforms, now, lanesPerPlatform) : [];
    waiting.clear();
    for (const count of counts) waiting.set(count.platform, count.waiting);
  }

  const loop: WakeableLoop = startWatchedLoop(
    app,
    'publisher',
    async () => {
      const now = app.clock.now();
      for (const lane of await claimLanes(app.db, worker, now, freeLanes(), partitionOf, running())) start(lane);
      const free = freeLanes();
      const full = fullShares(running(), free);
      await countWaiting(
        platformIds.filter((id) => free[id] === 0 || full.some(({ platform }) => platform === id)),
        now,
      );
      // Skip platforms without a free lane and owners who have reached their share; otherwise the loop would spin on a
      // lane that it cannot claim. The next lane of that platform to end wakes the loop.
      const open = platformIds.filter((id) => free[id] !== 0);
      return nextLaneTime(app.db, open, partitionOf, full);
    },
    { maxSleepMs },
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
