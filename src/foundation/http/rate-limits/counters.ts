import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../time/clock.ts';
import { addToRateCounters, type RateWindow } from './queries.ts';

/** Counts across all processes, so that a limit applies to all of them together. */
export interface RateCounters {
  /**
   * Adds one and returns the total. The total may miss the most recent counts of other processes, but a process asks
   * the database before it uses more than a twentieth of what was left the last time. So each additional process lets
   * through at most a twentieth of the limit more.
   */
  count(window: RateWindow, limit: number): Promise<number>;
  /** Same, but with the exact total, at the cost of one more round trip to the database. */
  countExactly(window: RateWindow): Promise<number>;
  close(): Promise<void>;
}

/** Under load, one statement per interval stores the counts of all requests. */
const flushMs = 250;
/** The share of the remaining limit that a process may use before it asks again. */
const unaskedShare = 1 / 20;
/** A slow or unreachable database must not block requests: after this time, the process uses the counts it has. */
const patienceMs = 1_000;
const maxNames = 20_000;

interface Counter {
  window: RateWindow;
  /** Counted by this process. */
  own: number;
  /** The part of `own` that is stored in the database. */
  storedOwn: number;
  /** The total in the database at the last query. Null: not queried yet. */
  stored: number | null;
}

export function rateCounters(db: Db): RateCounters {
  const counters = new LRUCache<string, Counter>({ max: maxNames });
  const changed = new Set<Counter>();
  let timer: NodeJS.Timeout | null = null;
  let stored = Promise.resolve();

  function add(window: RateWindow): Counter {
    const key = `${window.start.getTime()} ${window.name}`;
    const counter = counters.get(key) ?? { window, own: 0, storedOwn: 0, stored: null };
    counters.set(key, counter);
    counter.own += 1;
    changed.add(counter);
    return counter;
  }

  async function store() {
    const batch = [...changed].map((counter) => ({ counter, used: counter.own - counter.storedOwn }));
    changed.clear();
    if (batch.length === 0) return;
    const totals = await addToRateCounters(
      db,
      batch.map(({ counter, used }) => ({ ...counter.window, used })),
    );
    for (const [index, { counter, used }] of batch.entries()) {
      counter.storedOwn += used;
      counter.stored = totals[index] ?? counter.stored;
    }
  }

  /** Flushes run one after another: counts on their way to a slow database must not be stored twice. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    stored = stored.then(store).catch(() => {});
    return stored;
  }

  return {
    async count(window, limit) {
      const counter = add(window);
      const place = counter.own;
      if (mustAsk(counter, limit)) await Promise.race([flush(), sleep(patienceMs, undefined, { ref: false })]);
      else timer ??= setTimeout(flush, flushMs).unref();
      return ofOthers(counter) + place;
    },
    // Only the database counts, so that no two concurrent requests get the same total.
    async countExactly(window) {
      const [total = 0] = await addToRateCounters(db, [{ ...window, used: 1 }]);
      return total;
    },
    close: flush,
  };
}

/** Counted by other processes, as far as this one knows. */
const ofOthers = ({ stored, storedOwn }: Counter) => (stored ?? 0) - storedOwn;

/** A total only grows, so past the limit there is no need to ask again. */
function mustAsk(counter: Counter, limit: number): boolean {
  const { own, storedOwn, stored } = counter;
  if (stored === null) return true;
  return own - storedOwn > (limit - stored) * unaskedShare && ofOthers(counter) + own <= limit;
}

/** Windows start at multiples of their length, so all processes use the same ones. */
export function windowAt(name: string, seconds: number, { now }: Clock): RateWindow & { endsInSeconds: number } {
  const [time, length] = [now().getTime(), seconds * 1000];
  const start = Math.floor(time / length) * length;
  return { name, start: new Date(start), endsInSeconds: Math.ceil((start + length - time) / 1000) };
}
