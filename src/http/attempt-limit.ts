import { LRUCache } from 'lru-cache';
import { Problem } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** Limits how often a secret can be guessed: so many attempts a minute for each key. Each process counts for itself. */
interface AttemptLimit {
  /** Counts an attempt before it is made, so that many at once cannot exceed the limit. */
  take(key: string): void;
  /** Uncounts a successful attempt, so that people who sign in often are not locked out. */
  giveBack(key: string): void;
}

const windowMs = 60_000;

export function limitAttempts(clock: Clock, maxPerMinute: number): AttemptLimit {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: 10_000 });
  return {
    take(key) {
      const now = clock.now().getTime();
      const open = windows.get(key);
      const current = open && open.endsAt > now ? open : { count: 0, endsAt: now + windowMs };
      if (current.count >= maxPerMinute) {
        throw new Problem('too_many_requests', { retryAfterSec: Math.ceil((current.endsAt - now) / 1000) });
      }
      current.count += 1;
      windows.set(key, current);
    },
    giveBack(key) {
      const current = windows.get(key);
      if (current) current.count -= 1;
    },
  };
}
