import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

export interface Pace {
  /** Requests, or whatever else is counted. */
  readonly perSecond: number;
  /** This much is not delayed. */
  readonly burst: number;
  /** No request waits longer. Default: as long as the pace wants it. */
  readonly mostMs?: number;
}

/**
 * Delays the requests of a caller that come faster than the pace, so that nobody who sends a minute's worth in a second makes
 * others wait. Requests that are refused afterwards are delayed too, which slows down callers who ignore refusals.
 */
export function createPacer() {
  /** When the caller would be through with all requests so far, at the pace. */
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
