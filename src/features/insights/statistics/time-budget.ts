import { Problem } from '../../../foundation/errors/index.ts';

/** How long a request for statistics may take. */
export const budgetMs = 90_000;

/** Aborts work that takes too long, and throws immediately without waiting for it to stop. */
export async function withTimeBudget<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
