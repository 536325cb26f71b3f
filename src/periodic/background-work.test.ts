import { pino } from 'pino';
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { App } from '../app.ts';
import { openListener } from '../db/listener.ts';
import { readiness } from '../health/health.ts';
import { startWatchedLoop, watchWork } from './background-work.ts';

const lines: Record<string, unknown>[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
let app: App;
let close: () => Promise<void>;
let url: string;
beforeAll(async () => {
  const made = await testApp();
  [app, close, url] = [{ ...made.app, log }, made.close, made.database.url];
});
afterAll(() => close());

const counted = async (task: string) => {
  const metric = await register.getSingleMetric('crier_background_failures_total')?.get();
  return metric?.values.find(({ labels }) => labels.task === task)?.value ?? 0;
};
const logged = (task: string) => lines.filter((line) => line.task === task);

test('a loop that keeps failing is logged with its name, counted, and visible in readyz until it succeeds', async () => {
  let isBroken = true;
  const loop = startWatchedLoop(
    app,
    'example',
    async () => {
      if (isBroken) throw new Error('Out of order');
      return null;
    },
    { maxSleepMs: 60_000 },
  );
  onTestFinished(() => loop.stop());
  await eventually(() => expect(logged('example')).toHaveLength(1));
  expect((await readiness(app)).failingTasks).toBeUndefined();
  loop.wake();
  await eventually(() => expect(logged('example')).toHaveLength(2));
  loop.wake();
  await eventually(() => expect(logged('example')).toHaveLength(3));
  expect(logged('example').at(-1)).toMatchObject({ level: 50, failures: 3, err: { message: 'Out of order' } });
  expect(await counted('example')).toBe(3);
  expect((await readiness(app)).failingTasks).toEqual([{ name: 'example', consecutiveFailures: 3 }]);

  isBroken = false;
  loop.wake();
  await eventually(async () => expect((await readiness(app)).failingTasks).toBeUndefined());
});

test('a listener that loses its connection says so, and when it is back', async () => {
  const listener = await openListener(url, watchWork(app, 'example-listener'));
  onTestFinished(() => listener.close());
  let gaps = 0;
  listener.onGap(() => {
    gaps += 1;
  });
  await app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'crier-listen' and datname = current_database()`,
  );
  await eventually(() => expect(gaps).toBe(2));
  expect(logged('example-listener')).toMatchObject([{ level: 50, failures: 1 }]);
  expect(await counted('example-listener')).toBe(1);
  expect(listener.connected).toBe(true);
});
