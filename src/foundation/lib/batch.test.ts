import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batching } from './batch.ts';

/** Work that ends on command, and the items of each call. */
function pausedWork() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const work = async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 10);
  };
  return { work, batches, end: () => ends.shift()!() };
}
const options = { max: 3, maxRunning: 1, isRolledBack: () => false };

test('calls of the same turn share a batch, keep their order, and each gets its own result', async () => {
  const { work, batches, end } = pausedWork();
  const call = batching(options)(work);
  const answers = [1, 2].map(call);
  await setImmediate();
  expect(batches).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(answers)).toEqual([10, 20]);
});

test('calls made while a batch runs form the next batch, up to its maximum size', async () => {
  const { work, batches, end } = pausedWork();
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

test('kinds of work take turns, and no more batches run at the same time than allowed', async () => {
  const batched = batching({ ...options, maxRunning: 1 });
  const [one, other] = [pausedWork(), pausedWork()];
  const answers = [batched(one.work)(1), batched(other.work)(2)];
  await setImmediate();
  expect([one.batches, other.batches]).toEqual([[[1]], []]);
  one.end();
  await setImmediate();
  expect(other.batches).toEqual([[2]]);
  other.end();
  expect(await Promise.all(answers)).toEqual([10, 20]);
});

test('after a batch that was rolled back each item is tried alone, and only the bad one fails', async () => {
  const tried: number[][] = [];
  const work = async (items: number[]) => {
    tried.push(items);
    if (items.includes(3)) throw new Error('three');
    return items;
  };
  const call = batching({ ...options, max: 10, isRolledBack: () => true })(work);
  const answers = await Promise.allSettled([1, 2, 3, 4].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(tried).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
});

test('a batch that may have changed something is not tried again, and the next batch runs', async () => {
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
