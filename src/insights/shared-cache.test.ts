import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp, testClock } from '../../test/support/app.ts';
import { deleteExpired, readCooldown, storeCooldown } from './cache-queries.ts';
import { fetchCached, fetchCachedMany } from './shared-cache.ts';

/** Two processes of one service: they share the database and nothing else. */
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

/** A network that notes what it is asked, takes its time, and answers a key with its length. */
function aVendor({ slowMs = 30, gone = [] as string[] } = {}) {
  const calls: string[][] = [];
  const vendor = {
    calls,
    trouble: null as Error | null,
    async ask(keys: readonly string[]) {
      calls.push([...keys].sort());
      await later(slowMs);
      if (vendor.trouble) throw vendor.trouble;
      return new Map(keys.filter((key) => !gone.includes(key)).map((key) => [key, key.length]));
    },
  };
  return vendor;
}

const rows = async () =>
  (await first.database.pool.query('select key, fetching_until from statistics_cache order by key')).rows;

describe('one answer', () => {
  test('is asked for once, however many want it at once in however many processes', async () => {
    const vendor = aVendor();
    const ask = async () => (await vendor.ask(['one'])).get('one')!;
    const wanted = Array.from({ length: 100 }, (_, index) => (index % 2 ? first : second).app);
    const answers = await Promise.all(wanted.map((app) => fetchCached(app, 'one', hour, ask)));
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set([3]));
    expect(vendor.calls).toEqual([['one']]);
  });

  test('is remembered for its time, and says that it is', async () => {
    let count = 0;
    const ask = async () => ++count;
    expect(await fetchCached(first.app, 'one', hour, ask)).toEqual({ value: 1, cached: false });
    clock.advance({ seconds: hour - 1 });
    expect(await fetchCached(second.app, 'one', hour, ask)).toEqual({ value: 1, cached: true });
    clock.advance({ seconds: 2 });
    expect(await fetchCached(second.app, 'one', hour, ask)).toEqual({ value: 2, cached: false });
  });

  test('that is null is remembered like any other', async () => {
    let count = 0;
    const ask = async () => {
      count += 1;
      return null;
    };
    await fetchCached(first.app, 'one', hour, ask);
    expect(await fetchCached(first.app, 'one', hour, ask)).toEqual({ value: null, cached: true });
    expect(count).toBe(1);
  });
});

describe('a failure', () => {
  test('is not remembered', async () => {
    const ask = () => Promise.reject(new Error('Not now'));
    await expect(fetchCached(first.app, 'one', hour, ask)).rejects.toThrow('Not now');
    expect(await fetchCached(first.app, 'one', hour, async () => 1)).toEqual({ value: 1, cached: false });
  });

  test('is everybody’s who waits in the same process; the other process tries for itself', async () => {
    const vendor = aVendor();
    vendor.trouble = new Error('Not now');
    const ask = async () => (await vendor.ask(['one'])).get('one')!;
    const wanted = Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).app);
    const answers = await Promise.allSettled(wanted.map((app) => fetchCached(app, 'one', hour, ask)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill('rejected'));
    expect(vendor.calls).toHaveLength(2);
  });

  test('of one asker is not that of another, who has a way of their own', async () => {
    const [refused, welcome] = [aVendor(), aVendor()];
    refused.trouble = new Error('Refused');
    const through = (vendor: typeof refused) => async () => (await vendor.ask(['one'])).get('one')!;
    const hers = fetchCached(first.app, 'one', hour, through(refused), 'her token');
    hers.catch(() => {});
    await vi.waitFor(() => expect(refused.calls).toHaveLength(1), { timeout: 10_000, interval: 1 });
    const his = fetchCached(first.app, 'one', hour, through(welcome), 'his token');
    await expect(hers).rejects.toThrow('Refused');
    expect(await his).toEqual({ value: 3, cached: false });
  });

  test('leaves the old answer out of use', async () => {
    await fetchCached(first.app, 'one', hour, async () => 1);
    clock.advance({ seconds: hour + 1 });
    await expect(fetchCached(first.app, 'one', hour, () => Promise.reject(new Error('Not now')))).rejects.toThrow();
    await expect(fetchCached(second.app, 'one', hour, () => Promise.reject(new Error('Nor now')))).rejects.toThrow(
      'Nor now',
    );
  });
});

describe('a process that dies while it asks', () => {
  test('holds up the others for as long as an answer may take, and no longer', async () => {
    const never = new Promise<number>(() => {});
    const asked = vi.fn(() => never);
    void fetchCached(first.app, 'one', hour, asked);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 10_000 });
    const waiting = fetchCached(second.app, 'one', hour, async () => 2);
    expect(await Promise.race([waiting, later(200)])).toBeUndefined();
    clock.advance({ seconds: 101 });
    expect(await waiting).toEqual({ value: 2, cached: false });
  });
});

describe('many answers', () => {
  const valuesOf = (outcomes: PromiseSettledResult<{ value: number | null }>[]) =>
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.value : outcome.reason.message));

  test('come in the order asked for, what is not there as null, and only the unknown are asked for', async () => {
    const vendor = aVendor({ gone: ['ccc'] });
    await fetchCachedMany(first.app, { keys: ['bb'], seconds: hour, ask: vendor.ask });
    const keys = ['dddd', 'ccc', 'bb', 'a', 'bb'];
    const outcomes = await fetchCachedMany(second.app, { keys, seconds: hour, ask: vendor.ask });
    expect(valuesOf(outcomes)).toEqual([4, null, 2, 1, 2]);
    expect(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.cached)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    await fetchCachedMany(first.app, { keys, seconds: hour, ask: vendor.ask });
    expect(vendor.calls).toEqual([['bb'], ['a', 'ccc', 'dddd']]);
  });

  test('are asked for as many at once as the network takes', async () => {
    const vendor = aVendor();
    const keys = Array.from({ length: 7 }, (_, index) => `key ${index}`);
    await fetchCachedMany(first.app, { keys, seconds: hour, batchSize: 3, ask: vendor.ask });
    expect(vendor.calls.map(({ length }) => length)).toEqual([3, 3, 1]);
  });

  test('that overlap are asked for once each, and nobody waits for good', async () => {
    const vendor = aVendor({ slowMs: 5 });
    const letters = [...'abcdefghij'];
    const wanted = Array.from({ length: 60 }, (_, index) => {
      const keys = letters.map((_letter, place) => letters[(place * 3 + index) % 10]!).slice(0, 4);
      return fetchCachedMany((index % 2 ? first : second).app, { keys, seconds: hour, batchSize: 2, ask: vendor.ask });
    });
    const outcomes = (await Promise.all(wanted)).flat();
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(vendor.calls.flat().sort()).toEqual(letters);
  });

  test('that came before the network failed are kept; it is asked no further', async () => {
    const vendor = aVendor();
    const ask = (keys: readonly string[]) => {
      if (vendor.calls.length === 1) vendor.trouble = new Error('Enough');
      return vendor.ask(keys);
    };
    const keys = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    const outcomes = await fetchCachedMany(first.app, { keys, seconds: hour, batchSize: 2, ask });
    expect(valuesOf(outcomes)).toEqual([1, 2, 'Enough', 'Enough', 'Enough']);
    expect(vendor.calls).toHaveLength(2);
    vendor.trouble = null;
    await fetchCachedMany(second.app, { keys, seconds: hour, ask: vendor.ask });
    expect(vendor.calls.at(-1)).toEqual(['ccc', 'dddd', 'eeeee']);
  });
});

describe('pruning', () => {
  test('takes what is no longer given, what failed, and rests that are over', async () => {
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

  test('leaves alone whoever is just asking, also in place of an old answer', async () => {
    const { app } = first;
    await fetchCached(app, 'again', hour, async () => 1);
    clock.advance({ seconds: hour + 1 });
    const answer = Promise.withResolvers<number>();
    const ask = vi.fn(() => answer.promise);
    const asking = fetchCached(app, 'again', hour, ask);
    await vi.waitFor(() => expect(ask).toHaveBeenCalled(), { timeout: 10_000 });
    await deleteExpired(app.db, clock.now());
    expect(await rows()).toMatchObject([{ key: 'again', fetching_until: expect.any(Date) }]);
    answer.resolve(2);
    expect(await asking).toEqual({ value: 2, cached: false });
  });
});
