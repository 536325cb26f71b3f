import { LRUCache } from 'lru-cache';
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { addToRateCounters } from './queries.ts';

/** One name in one window of time. */
export interface RateWindow {
  name: string;
  start: Date;
}

/** Counts what all processes do, so that a limit holds for all of them together. */
export interface RateCounters {
  /** Counts one more and returns the total. What other processes counted in the last half second may be missing. */
  count(window: RateWindow): number;
  /** The same with the exact total, for one more round trip to the database. */
  countExactly(window: RateWindow): Promise<number>;
  close(): Promise<void>;
}

/** Under load, one statement in this time stores what all requests counted. */
const flushMs = 250;
const maxNames = 20_000;

interface Counter {
  window: RateWindow;
  /** The total in the database when it was last asked. */
  stored: number;
  unstored: number;
}

export function rateCounters(db: Db): RateCounters {
  const counters = new LRUCache<string, Counter>({ max: maxNames });
  const changed = new Set<Counter>();
  let timer: NodeJS.Timeout | null = null;
  let stored = Promise.resolve();

  function counterOf(window: RateWindow): Counter {
    const key = `${window.start.getTime()} ${window.name}`;
    const counter = counters.get(key) ?? { window, stored: 0, unstored: 0 };
    counters.set(key, counter);
    return counter;
  }

  function add(window: RateWindow): Counter {
    const counter = counterOf(window);
    counter.unstored += 1;
    changed.add(counter);
    return counter;
  }

  async function store() {
    const batch = [...changed].map((counter) => ({ counter, used: counter.unstored }));
    changed.clear();
    if (batch.length === 0) return;
    const totals = await addToRateCounters(
      db,
      batch.map(({ counter, used }) => ({ ...counter.window, used })),
    );
    for (const [index, { counter, used }] of batch.entries()) {
      counter.unstored -= used;
      counter.stored = totals[index] ?? counter.stored;
    }
  }

  /** One after the other: what is on its way to a slow database must not be stored twice. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    // A database that is away must not stop requests: this process goes on counting for itself.
    stored = stored.then(store).catch(() => {});
    return stored;
  }

  return {
    count(window) {
      const counter = add(window);
      timer ??= setTimeout(flush, flushMs).unref();
      return counter.stored + counter.unstored;
    },
    // The database alone counts, so that no two of many requests at once get the same total.
    async countExactly(window) {
      const [total = 0] = await addToRateCounters(db, [{ ...window, used: 1 }]);
      return total;
    },
    close: flush,
  };
}

/** Windows begin at full multiples of their length, so that all processes have the same. */
export function windowAt(name: string, seconds: number, { now }: Clock): RateWindow & { endsInSeconds: number } {
  const [time, length] = [now().getTime(), seconds * 1000];
  const start = Math.floor(time / length) * length;
  return { name, start: new Date(start), endsInSeconds: Math.ceil((start + length - time) / 1000) };
}
