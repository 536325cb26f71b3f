import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** An LRU cache whose entries expire by the service's clock, so that tests can move time. */
export function clockedCache<V extends object | boolean | number | string>(
  clock: Clock,
  options: { max: number; ttlMs: number },
): LRUCache<string, V, () => Promise<V>> {
  return new LRUCache<string, V, () => Promise<V>>({
    max: options.max,
    // lru-cache still returns an entry that is exactly `ttl` old.
    ttl: options.ttlMs - 1,
    // Zero: every lookup asks the clock.
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    // `cache.fetch(key, { context: load })` loads a missing value once, however many callers are waiting for it.
    fetchMethod: (_key, _stale, { context: load }) => load(),
  });
}
