import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../test/support/app.ts';
import { rateCounters } from './rate-counters.ts';

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

test('of requests that are counted exactly, at once and in two processes, no two get the same total', async () => {
  const processes = [rateCounters(one.app.db), rateCounters(other.app.db)];
  const counts = Array.from({ length: 60 }, (_, i) => processes[i % 2]!.countExactly({ name: 'exact', start }));
  const totals = (await Promise.all(counts)).sort((a, b) => a - b);
  expect(totals).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
});

test('what is counted while the database is slow is stored once', async () => {
  const counters = rateCounters(one.app.db);
  const window = { name: 'slow', start };
  counters.count(window);
  await counters.close();
  const client = await one.database.pool.connect();
  await client.query("begin; select * from rate_counters where name = 'slow' for update");
  expect(counters.count(window)).toBe(2);
  const first = counters.close();
  expect(counters.count(window)).toBe(3);
  const second = counters.close();
  await client.query('commit');
  client.release();
  await Promise.all([first, second]);
  expect(await storedAs('slow')).toBe(3);
  expect(counters.count(window)).toBe(4);
});
