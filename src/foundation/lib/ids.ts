import { randomInt } from 'node:crypto';
import type { Clock } from '../time/clock.ts';

/** Generates 24-hex ids: 12 digits of milliseconds, then 12 random digits, so that ids sort by time. */
export type NewId = () => string;

/** The ids of one generator always increase, even within a millisecond, so that log rows keep their order. */
export function idMaker(clock: Clock): NewId {
  let lastMs = 0;
  let tail = 0;
  return () => {
    const ms = clock.now().getTime();
    // The top bit stays clear, so that counting within a millisecond cannot overflow.
    tail = ms === lastMs ? tail + 1 : randomInt(2 ** 47);
    lastMs = ms;
    return ms.toString(16).padStart(12, '0') + tail.toString(16).padStart(12, '0');
  };
}

export const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value);
