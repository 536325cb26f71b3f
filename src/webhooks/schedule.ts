import { randomInt } from 'node:crypto';

/** After the first attempt, and after each that follows. Then it is given up. */
const waitSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** No receiver makes us wait longer than our own longest wait. */
const maxWaitSeconds = 36_000;

/** When to try again after so many attempts; null is never. A receiver's wish to wait longer is honoured. */
export function nextAttempt(attempts: number, retryAfterSeconds: number | null, now: Date): Date | null {
  const wait = waitSeconds[attempts - 1];
  if (wait === undefined) return null;
  // Those who failed together do not come back together.
  const jittered = wait * (1 + randomInt(0, 200) / 1000);
  const seconds = Math.max(jittered, Math.min(retryAfterSeconds ?? 0, maxWaitSeconds));
  return new Date(now.getTime() + seconds * 1000);
}
