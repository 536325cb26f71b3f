import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { type TestApp, testApp, testClock } from '../../../test/support/service/app.ts';
import { deleteExpired, readCooldown, storeCooldown } from './cache-queries.ts';
import { fetchCached, fetchCachedMany } from './shared-cache.ts';

/** Two processes of one service that share only the database. */
const clock = testClock();
let first: TestApp;
let second: TestApp;
beforeAll(async () => {
  first = await testApp({ clock });
  second = await testApp({ clock, database: first.database });
});
afterAll(async () => {
  await second.close();
  await first.close();
});
beforeEach(() => first.database.pool.query('delete from statistics_cache'));

const hour = 3600;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A platform that records its calls, responds slowly, and returns the length of a key as its value. */
function aPlatform({ slowMs = 30, gone = [] as string[] } = {}) {
  const calls: string[][] = [];
  const platform = {
    calls,
    failure: null as Error | null,
    async load(keys: readonly string[]) {
      calls.push([...keys].sort());
      await later(slowMs);
      if (platform.failure) throw platform.failure;
      return new Map(keys.filter((key) => !gone.includes(key)).map((key) => [key, key.length]));
    },
  };
  return platform;
}

const rows = async () =>
  (await first.database.pool.query('select key, fetching_until from statistics_cache order by key')).rows;

describe('one key', () => {
  test('is loaded once for concurrent callers in several processes', async () => {
    const platform = aPlatform();
    const load = async () => (await platform.load(['one'])).get('one')!;
    const wanted = Array.from({ length: 100 }, (_, index) => (index % 2 ? first : second).app);
    const answers = await Promise.all(wanted.map((app) => fetchCached(app, 'one', hour, load)));
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set([3]));
    expect(platform.calls).toEqual([['one']]);
  });

  test('is cached for its time and reported as cached', async () => {
    let count = 0;
    const load = async () => ++count;
    expect(await fetchCached(first.app, 'one', hour, load)).toEqual({ value: 1, cached: false });
    clock.advance({ seconds: hour - 1 });
    expect(await fetchCached(second.app, 'one', hour, load)).toEqual({ value: 1, cached: true });
    clock.advance({ seconds: 2 });
    expect(await fetchCached(second.app, 'one', hour, load)).toEqual({ value: 2, cached: false });
  });

  test('with the value null is cached too', async () => {
    let count = 0;
    const load = async () => {
      count += 1;
      return null;
    };
    await fetchCached(first.app, 'one', hour, load);
    expect(await fetchCached(first.app, 'one', hour, load)).toEqual({ value: null, cached: true });
    expect(count).toBe(1);
  });
});

describe('a failure', () => {
  test('is not cached', async () => {
    const load = () => Promise.reject(new Error('Not now'));
    await expect(fetchCached(first.app, 'one', hour, load)).rejects.toThrow('Not now');
    expect(await fetchCached(first.app, 'one', hour, async () => 1)).toEqual({ value: 1, cached: false });
  });

  test('is shared by all callers in the same process; another process makes its own attempt', async () => {
    const platform = aPlatform();
    platform.failure = new Error('Not now');
    const load = async () => (await platform.load(['one'])).get('one')!;
    const wanted = Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).app);
    const answers = await Promise.allSettled(wanted.map((app) => fetchCached(app, 'one', hour, load)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill('rejected'));
    expect(platform.calls).toHaveLength(2);
  });

  test('is not shared with callers of another failure scope', async () => {
    const [refused, welcome] = [aPlatform(), aPlatform()];
    refused.failure = new Error('Refused');
    const through = (platform: typeof refused) => async () => (await platform.load(['one'])).get('one')!;
    const hers = fetchCached(first.app, 'one', hour, through(refused), 'her token');
    hers.catch(() => {});
    await eventually(() => expect(refused.calls).toHaveLength(1), { interval: 1 });
    const his = fetchCached(first.app, 'one', hour, through(welcome), 'his token');
    await expect(hers).rejects.toThrow('Refused');
    expect(await his).toEqual({ value: 3, cached: false });
  });

  test('does not bring back the expired value', async () => {
    await fetchCached(first.app, 'one', hour, async () => 1);
    clock.advance({ seconds: hour + 1 });
    await expect(fetchCached(first.app, 'one', hour, () => Promise.reject(new Error('Not now')))).rejects.toThrow();
    await expect(fetchCached(second.app, 'one', hour, () => Promise.reject(new Error('Nor now')))).rejects.toThrow(
      'Nor now',
    );
  });
});

describe('a process that dies while it loads', () => {
  test('blocks the others until its claim expires', async () => {
    const never = new Promise<number>(() => {});
    const asked = vi.fn(() => never);
    void fetchCached(first.app, 'one', hour, asked);
    await eventually(() => expect(asked).toHaveBeenCalled());
    const waiting = fetchCached(second.app, 'one', hour, async () => 2);
    expect(await Promise.race([waiting, later(200)])).toBeUndefined();
    clock.advance({ seconds: 101 });
    expect(await waiting).toEqual({ value: 2, cached: false });
  });
});

describe('many keys', () => {
  const valuesOf = (outcomes: PromiseSettledResult<{ value: number | null }>[]) =>
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.value : outcome.reason.message));

  test('are returned in order, missing ones as null, and only uncached ones are loaded', async () => {
    const platform = aPlatform({ gone: ['ccc'] });
    await fetchCachedMany(first.app, { keys: ['bb'], seconds: hour, load: platform.load });
    const keys = ['dddd', 'ccc', 'bb', 'a', 'bb'];
    const outcomes = await fetchCachedMany(second.app, { keys, seconds: hour, load: platform.load });
    expect(valuesOf(outcomes)).toEqual([4, null, 2, 1, 2]);
    expect(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.cached)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    await fetchCachedMany(first.app, { keys, seconds: hour, load: platform.load });
    expect(platform.calls).toEqual([['bb'], ['a', 'ccc', 'dddd']]);
  });

  test('are loaded in batches', async () => {
    const platform = aPlatform();
    const keys = Array.from({ length: 7 }, (_, index) => `key ${index}`);
    await fetchCachedMany(first.app, { keys, seconds: hour, batchSize: 3, load: platform.load });
    expect(platform.calls.map(({ length }) => length)).toEqual([3, 3, 1]);
  });

  test('that overlap are loaded once each, without a deadlock', async () => {
    const platform = aPlatform({ slowMs: 5 });
    const letters = [...'abcdefghij'];
    const wanted = Array.from({ length: 60 }, (_, index) => {
      const keys = letters.map((_letter, place) => letters[(place * 3 + index) % 10]!).slice(0, 4);
      return fetchCachedMany((index % 2 ? first : second).app, {
        keys,
        seconds: hour,
        batchSize: 2,
        load: platform.load,
      });
    });
    const outcomes = (await Promise.all(wanted)).flat();
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(platform.calls.flat().sort()).toEqual(letters);
  });

  test('that were loaded before a failure are cached, and loading stops', async () => {
    const platform = aPlatform();
    const load = (keys: readonly string[]) => {
      if (platform.calls.length === 1) platform.failure = new Error('Enough');
      return platform.load(keys);
    };
    const keys = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    const outcomes = await fetchCachedMany(first.app, { keys, seconds: hour, batchSize: 2, load });
    expect(valuesOf(outcomes)).toEqual([1, 2, 'Enough', 'Enough', 'Enough']);
    expect(platform.calls).toHaveLength(2);
    platform.failure = null;
    await fetchCachedMany(second.app, { keys, seconds: hour, load: platform.load });
    expect(platform.calls.at(-1)).toEqual(['ccc', 'dddd', 'eeeee']);
  });
});

describe('pruning', () => {
  test('deletes expired values, failed claims and expired cooldowns', async () => {
    const { app } = first;
    await fetchCached(app, 'old', hour, async () => 1);
    await fetchCached(app, 'failed', hour, () => Promise.reject(new Error('Not now'))).catch(() => {});
    clock.advance({ seconds: hour });
    await fetchCached(app, 'new', hour, async () => 1);
    const now = clock.now();
    await storeCooldown(app.db, 'over', now);
    await storeCooldown(app.db, 'lasting', new Date(now.getTime() + 1000));
    await deleteExpired(app.db, now);
    expect(await rows()).toMatchObject([{ key: 'new' }]);
    expect(await readCooldown(app.db, 'lasting', now)).toEqual(new Date(now.getTime() + 1000));
    const rests = await first.database.pool.query('select key from statistics_cooldowns');
    expect(rests.rows).toEqual([{ key: 'lasting' }]);
  });

  test('keeps active claims, also beside an expired value', async () => {
    const { app } = first;
    await fetchCached(app, 'again', hour, async () => 1);
    clock.advance({ seconds: hour + 1 });
    const answer = Promise.withResolvers<number>();
    const ask = vi.fn(() => answer.promise);
    const asking = fetchCached(app, 'again', hour, ask);
    await eventually(() => expect(ask).toHaveBeenCalled());
    await deleteExpired(app.db, clock.now());
    expect(await rows()).toMatchObject([{ key: 'again', fetching_until: expect.any(Date) }]);
    answer.resolve(2);
    expect(await asking).toEqual({ value: 2, cached: false });
  });
});
