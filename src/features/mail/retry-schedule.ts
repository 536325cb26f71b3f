import { randomInt } from 'node:crypto';

/** The wait after the first attempt, the second, and so on: about a day in total. */
const waitSeconds = [60, 300, 900, 3_600, 10_800, 21_600, 43_200];

/** When to retry after this many attempts. Null if no attempt is left. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const wait = waitSeconds[attempts - 1];
  if (wait === undefined) return null;
  // Jitter, so that mails that failed together are not retried together.
  return new Date(now.getTime() + wait * (1000 + randomInt(0, 200)));
}
