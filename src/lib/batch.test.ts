import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from './batch.ts';

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
const whole = { max: 3, leftNothing: () => false };

test('a lone call goes at once', async () => {
  const { work, batches, end } = held();
  const call = batched(work, whole);
  const answer = call(1);
  expect(batches).toEqual([[1]]);
  end();
  expect(await answer).toBe(10);
});

test('calls that come meanwhile go together, in their order, as many as allowed, and each gets its own answer', async () => {
  const { work, batches, end } = held();
  const call = batched(work, whole);
  const answers = [1, 2, 3, 4, 5].map(call);
  for (let batch = 0; batch < 3; batch += 1) {
    end();
    await setImmediate();
  }
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
});

test('of a batch that left nothing behind each is tried alone, and only the bad one fails', async () => {
  const tried: number[][] = [];
  const work = async (items: number[]) => {
    tried.push(items);
    if (items.includes(3)) throw new Error('three');
    return items;
  };
  const call = batched(work, { max: 10, leftNothing: () => true });
  const answers = await Promise.allSettled([1, 2, 3, 4].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(tried).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

test('of a batch that may have left something nothing is tried again, and the next goes on', async () => {
  let calls = 0;
  const work = async (items: number[]) => {
    calls += 1;
    if (calls === 2) throw new Error('silence');
    return items;
  };
  const call = batched(work, { max: 10, leftNothing: () => false });
  const answers = await Promise.allSettled([1, 2, 3].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await call(4)).toBe(4);
  expect(calls).toBe(3);
});
