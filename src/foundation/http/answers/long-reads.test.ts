import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listInTurn, searchInTurn } from './long-reads.ts';

test('an owner has two lists read at the same time, and does not delay those of others', async () => {
  let running = 0;
  const done = Promise.withResolvers<void>();
  const read = async () => {
    running += 1;
    await done.promise;
    return [];
  };
  const lists = Array.from({ length: 5 }, () => listInTurn('eve', read, (rows) => rows.length));
  await setImmediate();
  expect(running).toBe(2);
  expect(
    await listInTurn(
      'ann',
      async () => [1],
      (rows) => rows.length,
    ),
  ).toEqual([1]);
  done.resolve();
  await Promise.all(lists);
  expect(running).toBe(5);
});

test('after a list of many entries, the next one of the same owner waits', async () => {
  const long = () =>
    listInTurn(
      'bob',
      async () => 1_000,
      (entries) => entries,
    );
  const start = performance.now();
  await Promise.all([long(), long()]);
  await long();
  expect(performance.now() - start).toBeGreaterThan(150);
});

test('an owner searches one at a time, and rests as long as the search took', async () => {
  let [running, most] = [0, 0];
  const search = async () => {
    running += 1;
    most = Math.max(most, running);
    await setTimeout(100);
    running -= 1;
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 3 }, () => searchInTurn('eve', search)));
  expect(most).toBe(1);
  // Three searches, and two rests.
  expect(performance.now() - start).toBeGreaterThan(450);
});

test('few owners search at the same time', async () => {
  let running = 0;
  const done = Promise.withResolvers<void>();
  const search = async () => {
    running += 1;
    await done.promise;
  };
  const searches = Array.from({ length: 10 }, (_, at) => searchInTurn(`owner ${at}`, search));
  await setImmediate();
  expect(running).toBe(3);
  done.resolve();
  await Promise.all(searches);
});
