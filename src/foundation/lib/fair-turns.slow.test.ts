import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

/** The CPU time of the fastest of a few runs, because other processes share the CPU and its caches. */
async function fastestMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

async function serveLine(length: number) {
  const turns = createFairTurns({ places: 1, perOwner: 1 });
  const served = Array.from({ length }, async () => {
    using _turn = await turns.acquire('eve');
  });
  await Promise.all(served);
}

test('ten times as many callers in a line take about ten times as long', async () => {
  await serveLine(3_000);
  const few = await fastestMs(() => serveLine(3_000));
  expect((await fastestMs(() => serveLine(30_000))) / few).toBeLessThan(35);
});
