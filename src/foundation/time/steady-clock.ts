import { type Clock, systemClock } from './clock.ts';

/** A clock that follows another one. If the system's clock jumps, this one does not. */
export interface SteadyClock extends Clock {
  /**
   * Takes over what the other clock showed when it was asked, which was between two times of `performance.now()`. Returns by
   * how much this clock was ahead of it, in ms.
   */
  follow(shown: Date, askedAt: number, answeredAt: number): number;
}

/** Smaller differences come from the way of the answer, and are left alone. */
const toleranceMs = 250;

/** Begins with the system's time, and goes on with a timer that nobody can set. */
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
