import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../time/clock.ts';
import { addToRateCounters, type RateWindow } from './queries.ts';

/** Counts what all processes do, so that a limit holds for all of them together. */
export interface RateCounters {
  /**
   * Counts one more and returns the total. What other processes counted in the last moment may be missing, but a process asks
   * the database before it uses more than a twentieth of what was left when it last did. So each further process lets at most a
   * twentieth of the limit more through.
   */
  count(window: RateWindow, limit: number): Promise<number>;
  /** The same with the exact total, for one more round trip to the database. */
  countExactly(window: RateWindow): Promise<number>;
  close(): Promise<void>;
}

/** Under load, one statement in this time stores what all requests counted. */
const flushMs = 250;
/** How much of what is left of a limit a process may use before it asks again. */
const unaskedShare = 1 / 20;
/** A database that is slow or away must not stop requests: after this time, the process goes by what it knows. */
const patienceMs = 1_000;
const maxNames = 20_000;

interface Counter {
  window: RateWindow;
  /** What this process counted. */
  own: number;
  /** The part of it that the database has. */
  storedOwn: number;
  /** The total in the database when it was last asked. Null: not asked yet. */
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

  /** One after the other: what is on its way to a slow database must not be stored twice. */
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
    // The database alone counts, so that no two of many requests at once get the same total.
    async countExactly(window) {
      const [total = 0] = await addToRateCounters(db, [{ ...window, used: 1 }]);
      return total;
    },
    close: flush,
  };
}

/** What other processes counted, as far as this one knows. */
const ofOthers = ({ stored, storedOwn }: Counter) => (stored ?? 0) - storedOwn;

/** A total only grows, so beyond the limit there is nothing more to ask. */
function mustAsk(counter: Counter, limit: number): boolean {
  const { own, storedOwn, stored } = counter;
  if (stored === null) return true;
  return own - storedOwn > (limit - stored) * unaskedShare && ofOthers(counter) + own <= limit;
}

/** Windows begin at full multiples of their length, so that all processes have the same. */
export function windowAt(name: string, seconds: number, { now }: Clock): RateWindow & { endsInSeconds: number } {
  const [time, length] = [now().getTime(), seconds * 1000];
  const start = Math.floor(time / length) * length;
  return { name, start: new Date(start), endsInSeconds: Math.ceil((start + length - time) / 1000) };
}
