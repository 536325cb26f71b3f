import type { Sandbox } from '../platform.ts';

/** A fixed window of `limit` calls per `windowSeconds`, aligned to the epoch. */
export interface RateLimit<C> {
  readonly limit: number;
  readonly windowSeconds: number;
  /** The key to count under; null when this limit does not apply to the call. */
  keyOf(call: C): string | null;
}

interface Window {
  index: number;
  readonly counts: Map<string, number>;
}

export interface RateLimitState {
  readonly limit: number;
  readonly used: number;
  readonly resetAt: number;
}

/**
 * Counts calls against several limits and reports the one closest to being used up. The counts of each sandbox are in
 * memory.
 */
export function createRateLimiter<C>(limits: readonly RateLimit<C>[]) {
  const bySandbox = new WeakMap<Sandbox, Window[]>();

  function windowsOf(sandbox: Sandbox): Window[] {
    const windows = bySandbox.get(sandbox) ?? limits.map(() => ({ index: 0, counts: new Map() }));
    bySandbox.set(sandbox, windows);
    return windows;
  }

  function measure(call: C, sandbox: Sandbox, now: number, cost: number): RateLimitState {
    const windows = windowsOf(sandbox);
    let closest: RateLimitState | undefined;
    for (const [position, { limit, windowSeconds, keyOf }] of limits.entries()) {
      const key = keyOf(call);
      const window = windows[position];
      if (key === null || !window) continue;
      const windowMs = windowSeconds * 1000;
      const index = Math.floor(now / windowMs);
      if (window.index !== index) {
        window.index = index;
        window.counts.clear();
      }
      const used = (window.counts.get(key) ?? 0) + cost;
      if (cost > 0) window.counts.set(key, used);
      const state = { limit, used, resetAt: (index + 1) * windowMs };
      if (!closest || state.limit - state.used < closest.limit - closest.used) closest = state;
    }
    return closest ?? { limit: 0, used: 0, resetAt: now };
  }

  return {
    count: (call: C, sandbox: Sandbox, now = sandbox.now()): RateLimitState => measure(call, sandbox, now, 1),
    read: (call: C, sandbox: Sandbox, now = sandbox.now()): RateLimitState => measure(call, sandbox, now, 0),
  };
}
