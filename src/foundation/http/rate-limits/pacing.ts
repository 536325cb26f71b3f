import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

export interface Pace {
  /** Requests, or any other unit. */
  readonly perSecond: number;
  /** This many are not delayed. */
  readonly burst: number;
  /** The maximum delay of a request. Default: unlimited. */
  readonly mostMs?: number;
}

/**
 * Delays requests of a caller that exceed the pace, so a caller who sends a minute's worth in a second does not slow
 * down others. Requests that are refused later are delayed too, which slows down callers who ignore refusals.
 */
export function createPacer() {
  /** When the caller's requests so far would be done at this pace. */
  const ends = new LRUCache<string, number>({ max: 10_000 });
  return async (caller: string, { perSecond, burst, mostMs = Number.POSITIVE_INFINITY }: Pace, count = 1) => {
    const now = performance.now();
    const burstMs = (burst * 1000) / perSecond;
    const end = Math.min(Math.max(now, ends.get(caller) ?? 0) + (count * 1000) / perSecond, now + burstMs + mostMs);
    ends.set(caller, end);
    const waitMs = end - now - burstMs;
    if (waitMs > 0) await sleep(waitMs);
  };
}
