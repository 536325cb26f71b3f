import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../time/clock.ts';
import { startWakeableLoop } from './wakeable-loop.ts';

const options = { clock: systemClock, maxSleepMs: 10_000, onError: () => {} };
const inMs = (ms: number) => new Date(systemClock.now().getTime() + ms);

test('runs immediately, then at the time it asked for', async () => {
  const runs: number[] = [];
  const loop = startWakeableLoop(async () => {
    runs.push(performance.now());
    return runs.length === 1 ? inMs(100) : null;
  }, options);
  await eventually(() => expect(runs).toHaveLength(2));
  await loop.stop();
  expect(runs[1]! - runs[0]!).toBeGreaterThan(90);
});

test('a wake-up starts a run, and one during a run is not lost', async () => {
  let runs = 0;
  const loop = startWakeableLoop(async () => {
    runs += 1;
    if (runs === 1) loop.wake();
    await sleep(10);
    return null;
  }, options);
  await eventually(() => expect(runs).toBe(2));
  loop.wake();
  await eventually(() => expect(runs).toBe(3));
  await loop.stop();
});

test('runs after maxSleepMs even if every wake-up gets lost', async () => {
  const runs = Promise.withResolvers<void>();
  let count = 0;
  const loop = startWakeableLoop(
    async () => {
      count += 1;
      if (count === 3) runs.resolve();
      // Whatever time it believes to be next.
      return count === 1 ? null : inMs(3_600_000);
    },
    { ...options, maxSleepMs: 20 },
  );
  await runs.promise;
  await loop.stop();
});

test('two runs never overlap', async () => {
  let running = 0;
  let most = 0;
  const loop = startWakeableLoop(async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    return null;
  }, options);
  for (let i = 0; i < 20; i += 1) {
    loop.wake();
    await sleep(2);
  }
  await loop.stop();
  expect(most).toBe(1);
});

test('a failed run is reported, and the next follows within about a second', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  const loop = startWakeableLoop(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('no database');
      return null;
    },
    { ...options, onError: (error) => failures.push(error) },
  );
  await eventually(() => expect([runs, failures.length]).toEqual([2, 1]));
  await loop.stop();
});

test('stops after the current run', async () => {
  let done = false;
  const loop = startWakeableLoop(async () => {
    await sleep(50);
    done = true;
    return inMs(0);
  }, options);
  await sleep(5);
  await loop.stop();
  expect(done).toBe(true);
});

describe('work that stays due', () => {
  /** Another process holds the work: it returns a time in the past whenever it runs. */
  function aBusyAlarm() {
    const runs: number[] = [];
    const loop = startWakeableLoop(async () => {
      runs.push(performance.now());
      return inMs(-1_000);
    }, options);
    return { runs, loop };
  }

  test('is polled with a pause in between', async () => {
    const { runs, loop } = aBusyAlarm();
    await sleep(300);
    await loop.stop();
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.length).toBeLessThan(40);
  });

  test('runs immediately when it is woken from its pause', async () => {
    const { runs, loop } = aBusyAlarm();
    await sleep(300);
    const before = runs.length;
    for (let wake = 1; wake <= 100; wake += 1) {
      loop.wake();
      await setImmediate();
    }
    await loop.stop();
    expect(runs.length - before).toBeGreaterThanOrEqual(100);
  });

  test('runs on time when its next time lies ahead, and starts again with the shortest pause after that', async () => {
    // The times it asks for, and how late it then was.
    const asks = [...Array<number>(7).fill(-1_000), 4];
    const late = asks.map((): number[] => []);
    const rounds = Promise.withResolvers<void>();
    let runs = 0;
    let due = 0;
    const loop = startWakeableLoop(async () => {
      if (runs > 0) late[(runs - 1) % asks.length]!.push(performance.now() - due);
      const ask = asks[runs % asks.length]!;
      runs += 1;
      if (runs > 5 * asks.length) rounds.resolve();
      due = performance.now() + Math.max(0, ask);
      return inMs(ask);
    }, options);
    await rounds.promise;
    await loop.stop();
    const usually = (place: number) => late.at(place)!.sort((a, b) => a - b)[2]!;
    expect(usually(-2)).toBeGreaterThan(20);
    expect(usually(-1)).toBeLessThan(20);
    expect(usually(0)).toBeLessThan(20);
  });
});
