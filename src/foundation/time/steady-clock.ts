import { type Clock, systemClock } from './clock.ts';

/** A clock that follows another one. It does not jump when the system clock does. */
export interface SteadyClock extends Clock {
  /**
   * Adopts the time of the other clock, which was read between two values of `performance.now()`. Returns how far this
   * clock was ahead, in ms.
   */
  follow(shown: Date, askedAt: number, answeredAt: number): number;
}

/** Smaller differences come from network latency and are ignored. */
const toleranceMs = 250;

/** Starts with the system time and continues with a monotonic timer that cannot be set. */
export function steadyClock(timer: () => number = () => performance.now()): SteadyClock {
  let startMs = systemClock.now().getTime() - timer();
  return {
    now: () => new Date(startMs + timer()),
    follow(shown, askedAt, answeredAt) {
      const aheadMs = startMs + (askedAt + answeredAt) / 2 - shown.getTime();
      if (Math.abs(aheadMs) > Math.max(toleranceMs, answeredAt - askedAt)) startMs -= aheadMs;
      return aheadMs;
    },
  };
}
