import { expect, test } from 'vitest';
import { runEach } from './run-each.ts';

test('runs every action once, two at a time', async () => {
  const started: number[] = [];
  let running = 0;
  let most = 0;
  await runEach([1, 2, 3, 4, 5], async (item) => {
    started.push(item);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
  });
  expect([started, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test('starts no other action once it is stopped', async () => {
  const stop = new AbortController();
  const started: number[] = [];
  const action = async (item: number) => {
    started.push(item);
    stop.abort();
  };
  await runEach([1, 2, 3], action, { atOnce: 1, signal: stop.signal });
  expect(started).toEqual([1]);
});
