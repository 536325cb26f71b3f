import { randomInt } from 'node:crypto';

/** After the first attempt, the second, and so on: about a day together. */
const waitSeconds = [60, 300, 900, 3_600, 10_800, 21_600, 43_200];

/** When to retry after so many attempts; null if no attempt is left. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const wait = waitSeconds[attempts - 1];
  if (wait === undefined) return null;
  // Mails that failed together are not retried together.
  return new Date(now.getTime() + wait * (1000 + randomInt(0, 200)));
}
