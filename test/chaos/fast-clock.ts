import type { Clock } from '../../src/foundation/time/clock.ts';

/** Runs `factor` times as fast as real time since `base`: waits of minutes between attempts end in seconds. */
export const fastClock = (base: number, factor: number, skewMs = 0): Clock => ({
  now: () => new Date(base + (Date.now() - base) * factor + skewMs),
});
