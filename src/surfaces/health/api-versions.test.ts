import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import { connectionTasks } from '../../features/connections/tasks.ts';
import { readiness } from './health.ts';

async function anApp(today: string) {
  const clock = testClock(today);
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { app, close } = await testApp({ clock, environment: { ROLES: 'api' } });
  onTestFinished(close);
  return { app: { ...app, log }, lines };
}

test('readyz and the log warn of a version that ends within 60 days, and the service stays ready', async () => {
  const { app, lines } = await anApp('2027-08-01T12:00:00Z');
  const sentence = expect.stringContaining('LinkedIn retires version 202609 of its API on 2027-09-15, in 45 days.');
  expect(await readiness(app)).toMatchObject({ ready: true, warnings: [sentence] });
  const task = connectionTasks(app).find(({ name }) => name === 'warn-of-api-versions');
  await task?.run(new AbortController().signal);
  expect(lines).toMatchObject([{ level: 40, msg: sentence }]);
});

test('there are no warnings while no version ends', async () => {
  const { app } = await anApp('2026-11-16T12:00:00Z');
  const { ready, warnings } = await readiness(app);
  expect([ready, warnings]).toEqual([true, undefined]);
});
