import { AsyncLocalStorage } from 'node:async_hooks';

/** Enough for a slow server, because few searches need more than three requests. */
const searchTimeouts = 2;

const running = new AsyncLocalStorage<{ endsAt: number | null }>();

/**
 * Limits the time for all requests of a search. A server could otherwise show page after page, and take almost the
 * timeout for each. A search that runs out of time fails like a request that does, so it proves nothing.
 *
 * The limit is ambient, so that no adapter can forget to pass it on.
 */
export function withinSearchTime<T>(search: () => Promise<T>): Promise<T> {
  return running.getStore() ? search() : running.run({ endsAt: null }, search);
}

/** The milliseconds left to the search that makes this request, counted from its first one. Infinite outside of one. */
export function searchTimeLeft(timeoutMs: number): number {
  const search = running.getStore();
  if (!search) return Number.POSITIVE_INFINITY;
  const now = performance.now();
  search.endsAt ??= now + searchTimeouts * timeoutMs;
  return search.endsAt - now;
}
