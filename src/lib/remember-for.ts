import type { Clock } from './clock.ts';

/**
 * Answers by key, each good for `ms` from when it was asked for, in this process alone. However many ask at once, the
 * question goes out once. A failure is told to all who wait for it, and is not remembered.
 */
export function rememberFor<T>(ms: number) {
  const known = new Map<string, { answer: Promise<T>; until: number }>();

  return function remembered(clock: Clock, key: string, ask: () => Promise<T>): Promise<T> {
    const now = clock.now().getTime();
    forget(now);
    const earlier = known.get(key);
    if (earlier && earlier.until > now) return earlier.answer;
    const answer = ask();
    const entry = { answer, until: now + ms };
    known.delete(key);
    known.set(key, entry);
    answer.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return answer;
  };

  /** The oldest come first: whoever adds one takes out those that are over. */
  function forget(now: number) {
    for (const [key, { until }] of known) {
      if (until > now) return;
      known.delete(key);
    }
  }
}
