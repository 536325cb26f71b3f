import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp, testClock } from '../../../test/support/service/app.ts';
import { readiness } from '../../surfaces/health/health.ts';
import { metricsText } from '../../surfaces/health/metrics.ts';
import { type PeriodicTask, type PeriodicTasks, startPeriodicTasks } from './periodic-tasks.ts';
import { daily } from './schedule.ts';

const name = 'nightly';
/** Before the task is due for the first time. */
const evening = '2027-03-04T22:00:00.000Z';
const day = { seconds: 86_400 };

let clock = testClock(evening);
let first: TestApp;
let second: TestApp;
const running = new Set<Process>();

beforeAll(async () => {
  first = await testApp({ clock: { now: () => clock.now() } });
  second = await testApp({ clock: { now: () => clock.now() }, database: first.database });
});
afterAll(async () => {
  await second.close();
  await first.close();
});
beforeEach(async () => {
  clock = testClock(evening);
  await first.database.pool.query('delete from periodic_tasks');
});
afterEach(async () => {
  await Promise.all([...running].map((process) => process.stop(1_000)));
});

interface Process extends Pick<PeriodicTasks, 'wake' | 'stop'> {
  /** How often this process has looked for due tasks and found one. */
  looks(): number;
}

/** A process with the task, and with another task that is due whenever the clock moves. */
async function start({ app }: TestApp, run: PeriodicTask['run'], log = app.log): Promise<Process> {
  const look = vi.fn(async () => {});
  const secondLater = (after: Date) => new Date(after.getTime() + 1_000);
  const { wake, stop } = await startPeriodicTasks({ ...app, log }, [
    { name, schedule: daily('03:00'), run },
    { name: `look of ${app.workerId}`, schedule: secondLater, run: look },
  ]);
  const process: Process = {
    wake,
    looks: () => look.mock.calls.length,
    async stop(timeoutMs) {
      running.delete(process);
      await stop(timeoutMs);
    },
  };
  running.add(process);
  return process;
}

/** Moves the clock and waits until every process has looked for due tasks. */
async function pass(time: { seconds: number }) {
  const before = [...running].map((process) => ({ process, looks: process.looks() }));
  clock.advance(time);
  for (const { process } of before) process.wake();
  for (const { process, looks } of before) await expect.poll(() => process.looks()).toBeGreaterThan(looks);
}

const row = async () =>
  (await first.database.pool.query('select * from periodic_tasks where name = $1', [name])).rows[0];

const nextRunAt = async () => (await row()).next_run_at.toISOString();

/** Runs on demand; each run ends when the test says so. */
function controlled() {
  const runs: { signal: AbortSignal; end: () => void }[] = [];
  const run = (signal: AbortSignal) =>
    new Promise<void>((end) => {
      runs.push({ signal, end });
    });
  return { run, runs };
}

describe('a periodic task', () => {
  test('is not run before its time', async () => {
    const run = vi.fn(async () => {});
    await start(first, run);
    await pass({ seconds: 3_600 });
    expect(run).not.toHaveBeenCalled();
    expect(await nextRunAt()).toBe('2027-03-05T03:00:00.000Z');
  });

  test('runs once per period in all processes together', async () => {
    const run = vi.fn(async () => {});
    await start(first, run);
    await start(second, run);
    for (const period of [1, 2, 3]) {
      await pass(day);
      await expect.poll(nextRunAt).toBe(`2027-03-0${5 + period}T03:00:00.000Z`);
      expect(run).toHaveBeenCalledTimes(period);
    }
  });

  test('is not started again while it runs, in either process', async () => {
    const { run, runs } = controlled();
    await start(first, run);
    await start(second, run);
    await pass(day);
    expect(runs).toHaveLength(1);
    // The worker renews its lease for as long as the task runs.
    for (let seconds = 0; seconds < 180; seconds += 20) {
      const { leased_until: before } = await row();
      await pass({ seconds: 20 });
      await expect.poll(async () => (await row()).leased_until > before).toBe(true);
    }
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await expect.poll(async () => (await row()).last_succeeded_at).toEqual(clock.now());
  });

  test('that was missed while no process ran is made up for once', async () => {
    const run = vi.fn(async () => {});
    const stopped = await start(first, run);
    await stopped.stop(1_000);
    clock.advance({ seconds: 5 * 86_400 });
    await start(second, run);
    await expect.poll(() => run.mock.calls.length).toBe(1);
    await expect.poll(nextRunAt).toBe('2027-03-10T03:00:00.000Z');
    await pass({ seconds: 3_600 });
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('whose schedule has become more frequent does not wait for the old time', async () => {
    await (await start(first, async () => {})).stop(0);
    const often: PeriodicTask = { name, schedule: daily('23:00'), run: async () => {} };
    const { stop } = await startPeriodicTasks(second.app, [often]);
    expect(await nextRunAt()).toBe('2027-03-04T23:00:00.000Z');
    await stop(1_000);
  });
});

describe('a periodic task that fails', () => {
  const failing = (): Promise<void> => Promise.reject(new Error('The disk is full.'));

  test('is logged with its name, counted, and retried with a growing delay', async () => {
    const lines: { level: number; task: string; err: { message: string } }[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const run = vi.fn(failing);
    await start(first, run, log);
    let wait = day.seconds;
    for (const [index, delay] of [30, 60, 120, 240, 480, 900, 900].entries()) {
      const failures = index + 1;
      await pass({ seconds: wait });
      await expect.poll(async () => (await row()).consecutive_failures).toBe(failures);
      expect(await row()).toMatchObject({
        last_failed_at: clock.now(),
        last_error: 'The disk is full.',
        next_run_at: new Date(clock.now().getTime() + delay * 1_000),
      });
      expect(run).toHaveBeenCalledTimes(failures);
      expect(lines).toHaveLength(failures);
      wait = delay;
    }
    expect(lines[0]).toMatchObject({ level: 50, task: name, err: { message: 'The disk is full.' } });
    expect(await metricsText(first.app)).toContain(`crier_periodic_task_runs_total{task="${name}",outcome="failed"} 7`);
  });

  test('is reported by readyz from the third failure in a row until it succeeds', async () => {
    const run = vi.fn(failing);
    await start(first, run);
    await pass(day);
    const reports = [];
    for (const failures of [1, 2, 3]) {
      await expect.poll(async () => (await row()).consecutive_failures).toBe(failures);
      reports.push((await readiness(first.app)).failingTasks);
      if (failures === 3) run.mockImplementation(async () => {});
      await pass({ seconds: 900 });
    }
    expect(reports).toEqual([undefined, undefined, [{ name, consecutiveFailures: 3 }]]);
    await expect.poll(async () => (await row()).consecutive_failures).toBe(0);
    expect(await readiness(first.app)).not.toHaveProperty('failingTasks');
    expect(await row()).toMatchObject({ last_error: null, last_succeeded_at: clock.now() });
  });
});

describe('a process that dies in the middle of a task', () => {
  /** The state that a killed process leaves behind. */
  const leaveLease = () =>
    first.database.pool.query(
      "update periodic_tasks set leased_by = 'killed', leased_until = $1, next_run_at = $2 where name = $3",
      [new Date(clock.now().getTime() + 60_000), clock.now(), name],
    );

  test('frees it when its lease expires, and the run counts as failed', async () => {
    const { run, runs } = controlled();
    await start(first, run);
    await leaveLease();
    await pass({ seconds: 59 });
    expect(runs).toHaveLength(0);
    await pass({ seconds: 1 });
    expect(runs).toHaveLength(1);
    expect(await row()).toMatchObject({
      leased_by: first.app.workerId,
      consecutive_failures: 1,
      last_error: 'The process ended during the run.',
    });
    runs[0]?.end();
    await expect.poll(async () => (await row()).consecutive_failures).toBe(0);
  });

  test('or that was suspended, gets the signal to stop once another process runs the task', async () => {
    const { run, runs } = controlled();
    const suspended = await start(first, run);
    await pass(day);
    await first.database.pool.query("update periodic_tasks set leased_by = 'other' where name = $1", [name]);
    await pass({ seconds: 20 });
    await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
    runs[0]?.end();
    await suspended.stop(1_000);
    // The other process holds the lease, so only that one records the result of the run.
    expect(await row()).toMatchObject({ leased_by: 'other', last_succeeded_at: null });
  });
});

describe('stopping', () => {
  test('waits for the running task', async () => {
    const { run, runs } = controlled();
    const process = await start(first, run);
    await pass(day);
    const stopping = process.stop(60_000);
    expect(await Promise.race([stopping, sleep(100, 'still waiting')])).toBe('still waiting');
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.end();
    await stopping;
    expect(await row()).toMatchObject({ leased_by: null, last_succeeded_at: clock.now() });
  });

  test('after its time limit aborts the task, which another process then runs immediately', async () => {
    const { run, runs } = controlled();
    const process = await start(first, run);
    await pass(day);
    await process.stop(10);
    expect(runs[0]?.signal.aborted).toBe(true);

    await start(second, run);
    await expect.poll(() => runs.length).toBe(2);
    expect(await row()).toMatchObject({ leased_by: second.app.workerId, consecutive_failures: 0 });
    for (const { end } of runs) end();
  });
});
