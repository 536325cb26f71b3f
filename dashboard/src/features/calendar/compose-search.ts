import { clockOf, dateKeyOf } from '../../lib/time/time.ts';

/** What the address of the composer has for a new post at this time, as a clock in this zone shows it. */
export const composeAt = (at: Date, zone: string) => ({ date: dateKeyOf(at, zone), time: clockOf(at, zone) });
