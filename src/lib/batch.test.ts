import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batching } from './batch.ts';

/** Work that ends when told to, and what it was given each time. */
function held() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const work = async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 10);
  };
  return { work, batches, end: () => ends.shift()!() };
}
const options = { max: 3, atOnce: 1, leftNothing: () => false };

test('what is asked for in the same turn goes together, in order, and each gets its own answer', async () => {
  const { work, batches, end } = held();
  const call = batching(options)(work);
  const answers = [1, 2].map(call);
  await setImmediate();
  expect(batches).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(answers)).toEqual([10, 20]);
});

test('what comes meanwhile goes next, as many as allowed', async () => {
  const { work, batches, end } = held();
  const call = batching(options)(work);
  const first = call(1);
  await setImmediate();
  const later = [2, 3, 4, 5].map(call);
  for (let batch = 0; batch < 3; batch += 1) {
    end();
    await setImmediate();
  }
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all([first, ...later])).toEqual([10, 20, 30, 40, 50]);
});

test('kinds of work take turns, and no more are under way at once than allowed', async () => {
  const batched = batching({ ...options, atOnce: 1 });
  const [one, other] = [held(), held()];
  const answers = [batched(one.work)(1), batched(other.work)(2)];
  await setImmediate();
  expect([one.batches, other.batches]).toEqual([[[1]], []]);
  one.end();
  await setImmediate();
  expect(other.batches).toEqual([[2]]);
  other.end();
  expect(await Promise.all(answers)).toEqual([10, 20]);
});

test('of a batch that left nothing behind each is tried alone, and only the bad one fails', async () => {
  const tried: number[][] = [];
  const work = async (items: number[]) => {
    tried.push(items);
    if (items.includes(3)) throw new Error('three');
    return items;
  };
  const call = batching({ ...options, max: 10, leftNothing: () => true })(work);
  const answers = await Promise.allSettled([1, 2, 3, 4].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(tried).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
});

test('of a batch that may have left something nothing is tried again, and the next goes on', async () => {
  let calls = 0;
  const work = async (items: number[]) => {
    calls += 1;
    if (calls === 1) throw new Error('silence');
    return items;
  };
  const call = batching(options)(work);
  const answers = await Promise.allSettled([1, 2, 3].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await call(4)).toBe(4);
  expect(calls).toBe(2);
});
