import { vi } from 'vitest';

const patienceMs = 60_000;

/**
 * Waits until `check` no longer throws, and returns what it returns. A wait is a minute at most wherever nothing is said about
 * time, so that a busy machine fails no test.
 */
export function eventually<T>(check: () => T | Promise<T>, { interval = 50 } = {}): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval });
}
