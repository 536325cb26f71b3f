import type { LinkedinDateRange } from '@crier/client';

const dayMs = 86_400_000;

/** This many whole days in UTC, ending with yesterday. */
export function lastDays(days: number, now = Date.now()): LinkedinDateRange {
  return { start: dateOf(now - days * dayMs), end: dateOf(now) };
}

function dateOf(instant: number): LinkedinDateRange['start'] {
  const date = new Date(instant);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** `2027-03-04` */
export const keyOfDate = ({ year, month, day }: LinkedinDateRange['start']): string =>
  [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
