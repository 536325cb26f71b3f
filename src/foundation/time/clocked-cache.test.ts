import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { clockedCache } from './clocked-cache.ts';

const ttlMs = 300_000;

test('an entry expires when its time is over, not a millisecond earlier or later', () => {
  const clock = testClock();
  const cache = clockedCache<string>(clock, { max: 10, ttlMs });
  cache.set('key', 'value');
  clock.advance({ seconds: 299.999 });
  expect(cache.get('key')).toBe('value');
  clock.advance({ seconds: 0.001 });
  expect(cache.get('key')).toBeUndefined();
});

test('callers that ask for the same missing value at the same time share one load', async () => {
  const cache = clockedCache<number>(testClock(), { max: 10, ttlMs });
  let loads = 0;
  const context = async () => {
    loads += 1;
    return loads;
  };
  const values = await Promise.all(Array.from({ length: 10 }, () => cache.fetch('key', { context })));
  expect([values, loads]).toEqual([Array(10).fill(1), 1]);
});

test('a load that fails rejects for every caller and is not cached', async () => {
  const cache = clockedCache<number>(testClock(), { max: 10, ttlMs });
  const fail = () => cache.fetch('key', { context: () => Promise.reject(new Error('unreachable')) });
  const outcomes = await Promise.allSettled([fail(), fail()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.fetch('key', { context: async () => 1 })).toBe(1);
});
