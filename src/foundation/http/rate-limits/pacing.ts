import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

export interface Pace {
  /** Requests, or any other unit. */
  readonly perSecond: number;
  /** This many are not delayed. */
  readonly burst: number;
  /** The maximum delay of a request. */
  readonly mostMs: number;
}

/**
 * Delays requests of a caller that exceed the pace, so a caller who sends a minute's worth in a second does not slow
 * down others. Requests that are refused later are delayed too, which slows down callers who ignore refusals.
 */
export function createPacer() {
  /** When the caller's requests so far would be done at this pace. */
  const ends = new LRUCache<string, number>({ max: 10_000 });
  const endOf = (caller: string, { perSecond }: Pace, count: number, now: number) =>
    Math.max(now, ends.get(caller) ?? 0) + (count * 1000) / perSecond;

  async function waitUntil(caller: string, end: number, burstMs: number, now: number) {
    ends.set(caller, end);
    const waitMs = end - now - burstMs;
    if (waitMs > 0) await sleep(waitMs);
  }

  return {
    /** Waits for the request's turn, but no longer than `mostMs`. */
    async delay(caller: string, pace: Pace, count = 1): Promise<void> {
      const [now, burstMs] = [performance.now(), burstOf(pace)];
      const end = Math.min(endOf(caller, pace, count, now), now + burstMs + pace.mostMs);
      await waitUntil(caller, end, burstMs, now);
    },
    /** The same, but returns false immediately if the wait would be longer, so that a flood does not fill the memory. */
    async enter(caller: string, pace: Pace): Promise<boolean> {
      const [now, burstMs] = [performance.now(), burstOf(pace)];
      const end = endOf(caller, pace, 1, now);
      if (end - now - burstMs > pace.mostMs) return false;
      await waitUntil(caller, end, burstMs, now);
      return true;
    },
  };
}

const burstOf = ({ burst, perSecond }: Pace) => (burst * 1000) / perSecond;
