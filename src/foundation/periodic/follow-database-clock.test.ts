import { pino } from 'pino';
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../test/support/service/app.ts';
import type { App } from '../../app.ts';
import { systemClock } from '../time/clock.ts';
import { steadyClock } from '../time/steady-clock.ts';
import { followDatabaseClock } from './follow-database-clock.ts';

const lines: Record<string, unknown>[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
let app: App;
let close: () => Promise<void>;
beforeAll(async () => {
  const made = await testApp();
  [app, close] = [{ ...made.app, log }, made.close];
});
afterAll(() => close());

const hour = 3_600_000;

test.each([hour, -hour])('a clock that is wrong by %i ms goes by that of the database after the start', async (ms) => {
  const clock = steadyClock();
  const now = performance.now();
  clock.follow(new Date(systemClock.now().getTime() + ms), now, now);
  expect(clock.now().getTime() / 1000).toBeCloseTo((systemClock.now().getTime() + ms) / 1000, 0);
  const following = await followDatabaseClock(app, clock);
  expect(clock.now().getTime() / 1000).toBeCloseTo(systemClock.now().getTime() / 1000, 0);
  await following.stop();
});

test('the metric tells how far the clocks of both machines are apart, and the log is silent if they agree', async () => {
  const following = await followDatabaseClock(app, steadyClock());
  await following.stop();
  const offset = await register.getSingleMetric('crier_clock_offset_seconds')?.get();
  expect(Math.abs(offset?.values[0]?.value ?? Number.NaN)).toBeLessThan(0.5);
  expect(lines.filter(({ msg }) => /clock/.test(String(msg)))).toEqual([]);
});
