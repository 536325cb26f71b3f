import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { finish, inTurns, type Pausable } from './in-turns.ts';

function* busyFor(ms: number): Pausable<string> {
  for (let spent = 0; spent < ms; spent += 1) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}

/** How many rounds of the event loop pass until the work is done. */
async function roundsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = work.then(() => {
    isDone = true;
  });
  let rounds = 0;
  for (; !isDone; rounds += 1) await setImmediate();
  await end;
  return rounds;
}

test('work is paused so that other work can run', async () => {
  expect(await roundsDuring(inTurns(busyFor(200)))).toBeGreaterThan(10);
});

test('work that runs at the same time shares the slices', async () => {
  const all = Promise.all(Array.from({ length: 10 }, () => inTurns(busyFor(20))));
  expect(await roundsDuring(all)).toBeGreaterThan(10);
  expect(await all).toEqual(Array.from({ length: 10 }, () => 'done'));
});

test('short work gives its result immediately', async () => {
  expect([finish(busyFor(1)), await inTurns(busyFor(1))]).toEqual(['done', 'done']);
});

test('short work does not wait for long work', async () => {
  const long = Promise.all(Array.from({ length: 5 }, () => inTurns(busyFor(30))));
  function* short(): Pausable<string> {
    yield;
    return 'done';
  }
  expect(await roundsDuring(inTurns(short()))).toBeLessThan(2);
  await long;
});

test('work that fails is reported', async () => {
  // biome-ignore lint/correctness/useYield: It fails before its first pause.
  const failing = function* (): Pausable<never> {
    throw new Error('No.');
  };
  await expect(inTurns(failing())).rejects.toThrow('No.');
});
