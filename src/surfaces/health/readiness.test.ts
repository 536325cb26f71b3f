import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type TestClock, testApp, testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import type { App } from '../../app.ts';
import { startPublishing } from '../../features/publishing/tasks.ts';
import { startWatchedLoop } from '../../foundation/periodic/background-work.ts';
import { diskStorage } from '../../foundation/storage/disk.ts';
import { neededBy, readiness } from './health.ts';

const roleSets = ['api', 'worker', 'api,worker'];
type CheckName = keyof typeof neededBy;

interface Running {
  app: App;
  clock: TestClock;
  service: TestService;
  stopPublishing(): Promise<void>;
}

/** A process with these roles that can do all of its work, but publishes to none of the test's networks. */
async function aProcess(roles: string): Promise<Running> {
  const clock = testClock();
  const service = await testService({ clock, environment: { ROLES: roles, NETWORKS_SERVED: 'twitter' } });
  onTestFinished(() => service.close());
  const { app } = service;
  if (!roles.includes('worker')) {
    // A separate process, because the other checks must not depend on it.
    const other = await testApp({ database: service.database, clock, environment: { NETWORKS_SERVED: 'twitter' } });
    onTestFinished(other.close);
    return { app, clock, service, stopPublishing: await publishing(other.app) };
  }
  return { app, clock, service, stopPublishing: await publishing(app) };
}

async function publishing(app: App) {
  const { stop } = await startPublishing(app);
  let stopped: Promise<void> | null = null;
  const stopOnce = () => (stopped ??= stop(1_000));
  onTestFinished(stopOnce);
  return stopOnce;
}

/** Time passes for everything except the dispatcher, which looks for due posts again. */
async function advance({ app, clock }: Running, seconds: number) {
  clock.advance({ seconds });
  await eventually(async () => {
    await sql`select pg_notify('post_group_due', '')`.execute(app.db);
    expect((await readiness(app)).checks.dispatcher.ok).toBe(true);
  });
}

/** For each check, how to make it fail. Returns the process in that state. */
const breaks: Record<CheckName, (running: Running) => Promise<App>> = {
  async database({ app }) {
    const lost = await testApp();
    await lost.close();
    return { ...app, db: lost.app.db };
  },
  async migrations({ app, service }) {
    await service.database.pool.query('delete from migrations where name like $1', ['0019%']);
    return app;
  },
  async dispatcher({ app, stopPublishing }) {
    await stopPublishing();
    return app;
  },
  async loops(running) {
    const hanging = Promise.withResolvers<null>();
    const loop = startWatchedLoop(running.app, 'example', () => hanging.promise, { maxSleepMs: 1_000 });
    onTestFinished(async () => {
      hanging.resolve(null);
      await loop.stop();
    });
    await advance(running, 121);
    return running.app;
  },
  async overdue(running) {
    const ada = await running.service.aUser();
    const target = await ada.aConnection();
    const post = { content: 'Nobody serves its network', platforms: [target], publishNow: true };
    expect(await ada.call('POST', '/create-post', post)).toMatchObject({ status: 200 });
    await advance(running, 90);
    return running.app;
  },
  async storage({ app, clock }) {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const { publicUrl, sealingKeys } = app;
    return { ...app, storage: diskStorage({ folder: file, publicUrl, sealingKeys, clock }) };
  },
};

test('a process needs what its own work needs, and neither other processes nor the backlog nor the storage', () => {
  expect(neededBy).toEqual({
    database: ['api', 'worker'],
    migrations: ['api', 'worker'],
    dispatcher: ['worker'],
    loops: ['worker'],
    overdue: [],
    storage: [],
  });
});

describe.each(roleSets)('a process with ROLES=%s', (roles) => {
  test('is ready when everything is well', async () => {
    const { app } = await aProcess(roles);
    await eventually(async () => {
      const { ready, checks } = await readiness(app);
      expect([ready, Object.entries(checks).filter(([, { ok }]) => !ok)]).toEqual([true, []]);
    });
  });

  test.each(Object.entries(breaks) as [CheckName, (typeof breaks)[CheckName]][])(
    'is unready for the check %s only if that is its own work',
    async (name, breakIt) => {
      const running = await aProcess(roles);
      await eventually(async () => expect((await readiness(running.app)).ready).toBe(true));
      const app = await breakIt(running);
      const { ready, checks } = await readiness(app);
      const isNeeded = (neededBy[name] as readonly string[]).some((role) => roles.split(',').includes(role));
      expect([checks[name].ok, ready]).toEqual([false, !isNeeded]);
    },
  );
});

test('the dispatcher of a worker counts by itself: another worker neither makes it ready nor unready', async () => {
  const clock = testClock();
  const stuck = await testApp({ clock });
  onTestFinished(stuck.close);
  const other = await testApp({ clock, database: stuck.database });
  onTestFinished(other.close);
  const stopOther = await publishing(other.app);
  await eventually(async () => expect((await readiness(other.app)).ready).toBe(true));
  expect(await readiness(stuck.app)).toMatchObject({
    ready: false,
    checks: { dispatcher: { ok: false, detail: 'is not running' } },
  });
  const stopOwn = await publishing(stuck.app);
  await eventually(async () => expect((await readiness(stuck.app)).ready).toBe(true));
  // The others consider it dead, but it keeps publishing.
  await stuck.database.pool.query('delete from workers where id = $1', [stuck.app.workerId]);
  expect((await readiness(stuck.app)).ready).toBe(true);
  await stopOther();
  expect((await readiness(stuck.app)).ready).toBe(true);
  await stopOwn();
  expect((await readiness(stuck.app)).ready).toBe(false);
});

test('an API process says that no worker is publishing, and is ready', async () => {
  const { app, close } = await testApp({ environment: { ROLES: 'api' } });
  onTestFinished(close);
  const { ready, checks } = await readiness(app);
  expect([ready, checks.dispatcher]).toEqual([
    true,
    { ok: false, detail: 'no worker is publishing: start a process with the role worker' },
  ]);
});
