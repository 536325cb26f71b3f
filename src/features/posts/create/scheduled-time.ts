import { Problem } from '../../../foundation/errors/index.ts';
import type { Clock } from '../../../foundation/time/clock.ts';
import { parseInstant } from '../../../foundation/time/times.ts';

export interface TimeRules {
  clock: Clock;
  strictPastTimes: 'auto' | 'on' | 'off';
}

export interface AcceptedTime {
  at: Date;
  warning: TimeWarning | null;
}

export type TimeWarning = { code: 'SCHEDULED_TIME_COERCED'; message: string; requested: string; effective: string };

/** Used instead of a time: the next free posting slot. */
export const nextSlot = 'next-slot';

/** The time in the request. `publishAt` is an alias that accepts only the next slot. */
export function requestedTime({ scheduledTime, publishAt }: TimeFields): string | undefined {
  if (publishAt && scheduledTime && scheduledTime !== publishAt) throw new Problem('publish_at_conflict');
  return publishAt ?? scheduledTime;
}

interface TimeFields {
  scheduledTime?: string | undefined;
  publishAt?: typeof nextSlot | undefined;
}

/** For `publishNow`, which cannot be combined with another time. */
export function isFuture(clock: Clock, scheduledTime: string | undefined): boolean {
  if (!scheduledTime || scheduledTime === nextSlot) return scheduledTime === nextSlot;
  const requested = parseInstant(scheduledTime);
  return requested !== null && requested > clock.now();
}

const toleranceMs = 5 * 60_000;
const strictSince = Date.parse('2026-08-25T00:00:00Z');

/** Changes a past time to now with a warning, or rejects it (contract.md#create-post.past-time). */
export function acceptTime(requested: string, { clock, strictPastTimes }: TimeRules): AcceptedTime {
  const wanted = parseInstant(requested);
  if (!wanted) throw new Problem('scheduled_time_invalid');
  const now = clock.now();
  const lateMs = now.getTime() - wanted.getTime();
  if (lateMs < 0) return { at: wanted, warning: null };
  const strict = strictPastTimes === 'on' || (strictPastTimes === 'auto' && now.getTime() >= strictSince);
  const serverTime = now.toISOString();
  if (lateMs >= toleranceMs && strict) {
    throw new Problem('scheduled_time_past', {
      error: `Scheduled time is in the past. Server time is ${serverTime} UTC.`,
      serverTime,
    });
  }
  const message = `Requested scheduled time ${wanted.toISOString()} was in the past and was changed to server time ${serverTime}.`;
  return { at: now, warning: { code: 'SCHEDULED_TIME_COERCED', message, requested, effective: serverTime } };
}
