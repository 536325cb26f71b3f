import { randomInt } from 'node:crypto';

/** The wait after the first attempt, the second, and so on. After the last attempt, the delivery has failed. */
const waitSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** A receiver cannot request more than the longest wait above. */
const maxWaitSeconds = 36_000;

/** When to retry after this many attempts. Null if no attempt is left. `Retry-After` can extend the wait. */
export function nextAttempt(attempts: number, retryAfterSeconds: number | null, now: Date): Date | null {
  const wait = waitSeconds[attempts - 1];
  if (wait === undefined) return null;
  // Jitter, so that deliveries that failed together are not retried together.
  const jittered = wait * (1 + randomInt(0, 200) / 1000);
  const seconds = Math.max(jittered, Math.min(retryAfterSeconds ?? 0, maxWaitSeconds));
  return new Date(now.getTime() + seconds * 1000);
}
