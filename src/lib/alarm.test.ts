import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startAlarm } from './alarm.ts';
import { systemClock } from './clock.ts';

const options = { clock: systemClock, maxSleepMs: 10_000, failed: () => {} };
const inMs = (ms: number) => new Date(systemClock.now().getTime() + ms);

test('runs at once, then at the time it asked for', async () => {
  const runs: number[] = [];
  const alarm = startAlarm(async () => {
    runs.push(performance.now());
    return runs.length === 1 ? inMs(100) : null;
  }, options);
  await sleep(250);
  await alarm.stop();
  expect(runs).toHaveLength(2);
  expect(runs[1]! - runs[0]!).toBeGreaterThan(90);
});

test('a poke wakes it, and one that comes during a run is not lost', async () => {
  let runs = 0;
  const alarm = startAlarm(async () => {
    runs += 1;
    if (runs === 1) alarm.poke();
    await sleep(10);
    return null;
  }, options);
  await sleep(60);
  expect(runs).toBe(2);
  alarm.poke();
  await sleep(60);
  expect(runs).toBe(3);
  await alarm.stop();
});

test('looks by itself before long, should every poke get lost', async () => {
  const runs = Promise.withResolvers<void>();
  let count = 0;
  const alarm = startAlarm(
    async () => {
      count += 1;
      if (count === 3) runs.resolve();
      // Whatever it believes to be next.
      return count === 1 ? null : inMs(3_600_000);
    },
    { ...options, maxSleepMs: 20 },
  );
  await runs.promise;
  await alarm.stop();
});

test('never runs twice at once', async () => {
  let running = 0;
  let most = 0;
  const alarm = startAlarm(async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    return null;
  }, options);
  for (let i = 0; i < 20; i += 1) {
    alarm.poke();
    await sleep(2);
  }
  await alarm.stop();
  expect(most).toBe(1);
});

test('a run that fails is told, and the next follows within about a second', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  const alarm = startAlarm(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('no database');
      return null;
    },
    { ...options, failed: (error) => failures.push(error) },
  );
  await sleep(1_300);
  await alarm.stop();
  expect([runs, failures.length]).toEqual([2, 1]);
});

test('stops after the current run', async () => {
  let done = false;
  const alarm = startAlarm(async () => {
    await sleep(50);
    done = true;
    return inMs(0);
  }, options);
  await sleep(5);
  await alarm.stop();
  expect(done).toBe(true);
});
