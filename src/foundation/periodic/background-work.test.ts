import { pino } from 'pino';
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import type { App } from '../../app.ts';
import { readiness } from '../../surfaces/health/health.ts';
import { openListener } from '../db/listener.ts';
import { failingWork, runningLoops, startWatchedLoop, watchWork } from './background-work.ts';

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
  const failures = () => failingWork(app, 1).find(({ name }) => name === 'example')?.consecutiveFailures;
  await eventually(() => expect(failures()).toBe(1));
  expect((await readiness(app)).failingTasks).toBeUndefined();
  for (const count of [2, 3]) {
    loop.wake();
    await eventually(() => expect(failures()).toBe(count));
  }
  expect(logged('example')).toMatchObject([{ level: 50, failures: 1, err: { message: 'Out of order' } }]);
  expect(await counted('example')).toBe(3);
  expect((await readiness(app)).failingTasks).toEqual([{ name: 'example', consecutiveFailures: 3 }]);

  isBroken = false;
  loop.wake();
  await eventually(async () => expect((await readiness(app)).failingTasks).toBeUndefined());
  expect(logged('example').at(-1)).toMatchObject({ level: 30, msg: 'background work succeeded again', failures: 3 });
});

test('a loop is silent from the end of its last run, failures included, or its last progress, until it is stopped', async () => {
  const clock = testClock();
  const runs: { progress: () => void; end: (error?: Error) => void }[] = [];
  const work = (progress: () => void) =>
    new Promise<null>((resolve, reject) => {
      runs.push({ progress, end: (error) => (error ? reject(error) : resolve(null)) });
    });
  const loop = startWatchedLoop({ ...app, clock }, 'example-silence', work, { maxSleepMs: 60_000 });
  const state = () => runningLoops({ ...app, clock }).find(({ task }) => task === 'example-silence');
  const nextRun = async (count: number) => {
    await eventually(() => expect(runs).toHaveLength(count));
    clock.advance({ seconds: 30 });
    return runs[count - 1]!;
  };
  const first = await nextRun(1);
  expect(state()).toMatchObject({ silentSeconds: 30, succeededSecondsAgo: null });
  first.progress();
  expect(state()).toMatchObject({ silentSeconds: 0, succeededSecondsAgo: 0 });
  loop.wake();
  first.end();
  const second = await nextRun(2);
  expect(state()).toMatchObject({ silentSeconds: 30, succeededSecondsAgo: 30 });
  second.end(new Error('Out of order'));
  await eventually(() => expect(state()).toMatchObject({ silentSeconds: 0, succeededSecondsAgo: 30 }));
  loop.wake();
  const third = await nextRun(3);
  third.end();
  await loop.stop();
  expect(state()).toBeUndefined();
});

test('work that fails every second logs one stack, then one short line a minute, and one when it succeeds again', async () => {
  const clock = testClock();
  const health = watchWork({ ...app, clock }, 'example-outage');
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) {
      health.failed(new Error('The database is away'));
      clock.advance({ seconds: 1 });
    }
  };
  health.succeeded();
  expect(logged('example-outage')).toEqual([]);
  fail(130);
  health.succeeded();
  health.succeeded();
  const [first, ...later] = logged('example-outage');
  expect(first).toMatchObject({ level: 50, failures: 1, err: { stack: expect.stringContaining('    at ') } });
  expect(later).toMatchObject([
    { level: 40, failures: 61, reason: 'The database is away' },
    { level: 40, failures: 121, reason: 'The database is away' },
    { level: 30, failures: 130, msg: 'background work succeeded again' },
  ]);
  expect(JSON.stringify(later)).not.toContain('    at ');
  expect(await counted('example-outage')).toBe(130);

  // The next outage starts with its stack again.
  fail(1);
  expect(logged('example-outage').at(-1)).toMatchObject({ level: 50, failures: 1, err: { type: 'Error' } });
});

test('the short line has words also for an error that keeps them in its parts', () => {
  const clock = testClock();
  const health = watchWork({ ...app, clock }, 'example-parts');
  const refused = new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:5432')]);
  health.failed(refused);
  clock.advance({ seconds: 60 });
  health.failed(refused);
  expect(logged('example-parts').at(-1)).toMatchObject({ level: 40, reason: 'connect ECONNREFUSED 127.0.0.1:5432' });
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
  expect(logged('example-listener')).toMatchObject([
    { level: 50, failures: 1 },
    { level: 30, msg: 'background work succeeded again', failures: 1 },
  ]);
  expect(await counted('example-listener')).toBe(1);
  expect(listener.connected).toBe(true);
});
