import { vi } from 'vitest';

const patienceMs = 60_000;

/**
 * Waits until `check` no longer throws, and returns its result. The default limit is a minute, so that a busy machine
 * fails no test.
 */
export function eventually<T>(check: () => T | Promise<T>, { interval = 50 } = {}): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval });
}
