import { expect, test } from 'vitest';
import { createPacer } from './pacing.ts';

const pace = { perSecond: 100, burst: 5, mostMs: 60_000 };

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

test('requests over the burst come at the pace, and those of other callers immediately', async () => {
  const wait = createPacer();
  const flood = took(() => Promise.all(Array.from({ length: 15 }, () => wait.delay('eve', pace))));
  const other = await took(() => wait.delay('ada', pace));
  const flooded = await flood;
  expect(flooded).toBeGreaterThanOrEqual(95);
  expect(other).toBeLessThan(flooded / 2);
});

test('a caller who waits may have a burst again', async () => {
  const wait = createPacer();
  await Promise.all(Array.from({ length: 15 }, () => wait.delay('eve', pace)));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await took(() => Promise.all(Array.from({ length: 4 }, () => wait.delay('eve', pace))))).toBeLessThan(30);
});

test('with a longest wait, no request waits longer, however many there are', async () => {
  const wait = createPacer();
  const limited = { perSecond: 20, burst: 1, mostMs: 100 };
  const flooded = await took(() => Promise.all(Array.from({ length: 200 }, () => wait.delay('eve', limited))));
  expect(flooded).toBeGreaterThanOrEqual(95);
  expect(flooded).toBeLessThan(5_000);
  // The flood is soon forgotten.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await took(() => wait.delay('eve', limited))).toBeLessThan(90);
});

test('a flood is refused immediately once as many wait as the longest wait allows, and other callers are not', async () => {
  const wait = createPacer();
  const limited = { perSecond: 100, burst: 5, mostMs: 100 };
  const flood = Array.from({ length: 1_000 }, () => wait.enter('eve', limited));
  expect(await wait.enter('ada', limited)).toBe(true);
  const entered = (await Promise.all(flood)).filter(Boolean).length;
  expect(entered).toBeGreaterThanOrEqual(15);
  expect(entered).toBeLessThan(100);
});
