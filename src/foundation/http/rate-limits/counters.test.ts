import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/service/app.ts';
import { type RateCounters, rateCounters } from './counters.ts';
import type { RateWindow } from './queries.ts';

let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  one = await testApp();
  other = await testApp({ database: one.database });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

const start = new Date('2027-03-04T05:06:00Z');
const storedAs = async (name: string) => {
  const { rows } = await one.database.pool.query('select used from rate_counters where name = $1', [name]);
  return rows[0]?.used;
};

test('of requests that are counted exactly, at the same time and in two processes, no two get the same total', async () => {
  const processes = [rateCounters(one.app.db), rateCounters(other.app.db)];
  const counts = Array.from({ length: 60 }, (_, i) => processes[i % 2]!.countExactly({ name: 'exact', start }));
  const totals = (await Promise.all(counts)).sort((a, b) => a - b);
  expect(totals).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
});

describe('a process', () => {
  const limit = 240;
  /** How many of these requests the limit lets through when they are sent without a pause. */
  const allowed = async (counters: RateCounters, window: RateWindow, requests: number) => {
    const totals = await Promise.all(Array.from({ length: requests }, () => counters.count(window, limit)));
    return totals.filter((total) => total <= limit).length;
  };

  test('knows what another counted before it lets the first request through', async () => {
    const [first, second] = [rateCounters(one.app.db), rateCounters(other.app.db)];
    const window = { name: 'one after the other', start };
    expect(await allowed(first, window, limit - 1)).toBe(limit - 1);
    expect(await allowed(second, window, limit)).toBe(1);
  });

  test('that was idle for long lets at most a twentieth of the limit more through', async () => {
    const [first, second] = [rateCounters(one.app.db), rateCounters(other.app.db)];
    const window = { name: 'idle', start };
    expect(await second.count(window, limit)).toBe(1);
    expect(await allowed(first, window, limit - 1)).toBe(limit - 1);
    expect(await allowed(second, window, limit)).toBeLessThanOrEqual(limit / 20);
  });

  test('lets at most a twentieth more through than it should, whichever way requests are spread', async () => {
    const processes = [one, other, one, other].map(({ app }) => rateCounters(app.db));
    const window = { name: 'spread', start };
    let passed = 0;
    for (let request = 0; request < 2 * limit; request += 1) {
      const counters = processes[((request * request + request) % 7) % processes.length]!;
      if ((await counters.count(window, limit)) <= limit) passed += 1;
    }
    expect(passed).toBeGreaterThanOrEqual(limit);
    expect(passed).toBeLessThanOrEqual(limit + 3 * (limit / 20));
  });

  test('asks the database for a small part of its requests, and not at all beyond the limit', async () => {
    const { db } = one.app;
    let statements = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const counters = rateCounters(counting);
    const window = { name: 'often', start };
    for (let request = 0; request < 3_000; request += 1) await counters.count(window, 3_000);
    expect(statements).toBeGreaterThan(10);
    expect(statements).toBeLessThan(300);
    const before = statements;
    const began = performance.now();
    for (let request = 0; request < 3_000; request += 1) await counters.count(window, 3_000);
    // Only the timer stores them.
    expect(statements - before).toBeLessThanOrEqual(2 + (performance.now() - began) / 200);
    await counters.close();
    expect(await storedAs('often')).toBe(6_000);
  });
});

test('what is counted while the database is slow is stored once, and requests do not wait for long', async () => {
  const counters = rateCounters(one.app.db);
  const [window, limit] = [{ name: 'slow', start }, 100];
  await counters.count(window, limit);
  const client = await one.database.pool.connect();
  await client.query("begin; select * from rate_counters where name = 'slow' for update");
  expect(await counters.count(window, limit)).toBe(2);
  const first = counters.close();
  // More than a twentieth: it asks the database, which does not respond.
  const more = Array.from({ length: 9 }, () => counters.count(window, limit));
  expect(await Promise.all(more)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const second = counters.close();
  await client.query('commit');
  client.release();
  await Promise.all([first, second]);
  expect(await storedAs('slow')).toBe(11);
  expect(await counters.count(window, limit)).toBe(12);
});
