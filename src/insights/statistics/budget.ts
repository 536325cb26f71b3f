import { Problem } from '../../errors.ts';

/** How long a caller waits for statistics. */
export const budgetMs = 90_000;

/** Stops what takes too long, and says so at once, whether or not it stops. */
export async function withinBudget<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    stop.abort();
    over.reject(new Problem('analytics_timeout'));
  }, ms);
  try {
    return await Promise.race([work(stop.signal), over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
