import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

test('owners take turns, and each is served in the order in which it asked', async () => {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const first = await turns.acquire('eve');
  const served: string[] = [];
  const asked = ['eve 1', 'eve 2', 'eve 3', 'ada 1', 'bob 1', 'ada 2'].map(async (name) => {
    using _turn = await turns.acquire(name.split(' ')[0]!);
    served.push(name);
  });
  first![Symbol.dispose]();
  await Promise.all(asked);
  expect(served).toEqual(['eve 1', 'ada 1', 'bob 1', 'eve 2', 'ada 2', 'eve 3']);
});

test('an owner leaves places to others, and gets a place again when its own is free', async () => {
  const turns = createFairTurns({ places: 2, perOwner: 1 });
  using mine = await turns.acquire('eve');
  expect(await turns.acquire('eve', 1)).toBeNull();
  using other = await turns.acquire('ada', 1);
  expect(other).not.toBeNull();
  const again = turns.acquire('eve', 10_000);
  mine![Symbol.dispose]();
  mine![Symbol.dispose]();
  using found = await again;
  expect(found).not.toBeNull();
});

test('only own work makes an owner give up', async () => {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const busy = await turns.acquire('eve');
  const small = turns.acquire('ada', 1);
  // The second caller of the same owner waits behind the first.
  expect(await turns.acquire('ada', 20)).toBeNull();
  busy![Symbol.dispose]();
  expect(await small).not.toBeNull();
});

test('a caller with a longest wait gives up, also behind others, and leaves its place in the line', async () => {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const busy = await turns.acquire('eve');
  const patient = turns.acquire('bob');
  expect(await turns.acquire('ada', undefined, 5)).toBeNull();
  expect(turns.waiting('ada')).toBe(0);
  busy![Symbol.dispose]();
  (await patient)![Symbol.dispose]();
  expect(await turns.acquire('ada', 5, 5)).not.toBeNull();
});

test('an owner that rests leaves the place to others immediately, and gets it again after the rest', async () => {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const began = performance.now();
  const first = await turns.acquire('eve');
  first!.restMs = 50;
  const served: string[] = [];
  const again = turns.acquire('eve').then((turn) => {
    served.push('eve');
    turn![Symbol.dispose]();
  });
  const other = turns.acquire('ada').then((turn) => {
    served.push('ada');
    turn![Symbol.dispose]();
  });
  expect(turns.waiting('eve')).toBe(1);
  first![Symbol.dispose]();
  await Promise.all([again, other]);
  expect(served).toEqual(['ada', 'eve']);
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
});

test('a place is wanted only by an owner that waits for others, not by one that waits for its own work or rest', async () => {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const first = await turns.acquire('eve');
  first!.restMs = 60_000;
  const again = turns.acquire('eve', 20);
  expect(turns.isWanted()).toBe(false);
  const other = turns.acquire('ada');
  expect(turns.isWanted()).toBe(true);
  first![Symbol.dispose]();
  expect(await other).not.toBeNull();
  expect(turns.isWanted()).toBe(false);
  expect(await again).toBeNull();
});
