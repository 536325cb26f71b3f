import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newer, withMigrations } from './support/database/newer-migrations.ts';
import { testDatabase } from './support/database/postgres.ts';
import { checkOut, copyCheckout, previousVersion } from './support/processes/checkouts.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from './support/processes/crier.ts';
import { openSandbox } from './support/servers/sandbox.ts';

const previous = previousVersion();

describe.skipIf(previous === null)(
  `an upgrade from ${previous} (skipped where git has no older version with these migrations)`,
  () => {
    test('processes of both versions publish on one database during the migrations, and no request fails', async () => {
      const [database, sandbox, folder] = await Promise.all([testDatabase(), openSandbox('mastodon'), dataFolder()]);
      onTestFinished(async () => {
        await folder.remove();
        await Promise.all([database.close(), sandbox.close()]);
      });
      await database.pool.query('drop schema public cascade; create schema public');
      const [older, present] = ['older', 'present'].map((name) => join(folder.path, name)) as [string, string];
      await Promise.all([checkOut(previous!, older), copyCheckout(present)]);
      await withMigrations(join(present, 'migrations'));

      const environment = {
        DATABASE_URL: database.url,
        SECRET_KEY: '5e'.repeat(32),
        SANDBOX_PORT: new URL(sandbox.url).port,
        RATE_LIMITS: 'off',
      };
      const start = (checkout: string, role: string) => {
        const dataDir = join(folder.path, `data-${role}-${checkout === older ? 'older' : 'present'}`);
        return startCrier({ folder: { ...folder, dataDir }, checkout, environment: { ...environment, ROLES: role } });
      };

      const [oldApi, oldWorker] = await Promise.all([start(older, 'api'), start(older, 'worker')]);
      const demo = oldApi.ready.demo ?? oldWorker.ready.demo;
      const { platformId } = (
        await database.pool.query<{ platformId: string }>(
          `select platform || '-' || account_id as "platformId" from connections where platform = 'mastodon'`,
        )
      ).rows[0]!;
      const load = startLoad(oldApi, demo?.apiKey ?? '', platformId);
      await load.answered(10);

      const migrateWith = (...options: string[]) =>
        runProgram([join(present, 'src/admin.ts'), 'migrate', '--json', ...options], {
          ...environment,
          DATA_DIR: join(folder.path, 'data-migrate'),
        });
      const plan = JSON.parse((await migrateWith('--plan')).stdout);
      expect(plan).toMatchObject({ pending: Object.keys(newer).map((name) => ({ name })) });
      expect(plan.pending[1]).toMatchObject({
        mode: 'online',
        statements: [{ inBatches: false }, { inBatches: true }],
      });
      const migrated = await migrateWith();
      expect([migrated.stderr, migrated.stdout.trim()]).toEqual([
        expect.stringContaining('8002-search-text.sql …'),
        JSON.stringify({ applied: Object.keys(newer) }),
      ]);
      await load.answered(10);

      const [newApi, newWorker] = await Promise.all([start(present, 'api'), start(present, 'worker')]);
      await load.answered(10);
      load.useAlso(newApi);
      await load.answered(20);
      load.useOnly(newApi);
      await Promise.all([oldApi.stop(), oldWorker.stop()]);
      await load.answered(10);
      const { texts, failures } = await load.stop();

      expect(failures).toEqual([]);
      await expect
        .poll(async () => textsOf(await sandbox.posts(), 'Upgrade '), { interval: 250 })
        .toEqual(texts.toSorted());
      await Promise.all([newApi.stop(), newWorker.stop()]);
    }, 400_000);
  },
);

const textsOf = (posts: readonly { text: string }[], prefix: string) =>
  posts
    .map(({ text }) => text)
    .filter((text) => text.startsWith(prefix))
    .toSorted();

const pauseMs = 50;

/** Sends one post after the other, alternating between the processes. */
function startLoad(first: CrierProcess, apiKey: string, platformId: string) {
  let apis = [first];
  let stopping = false;
  const texts: string[] = [];
  const failures: string[] = [];
  const post = async (text: string, { ready }: CrierProcess) => {
    const response = await fetch(`${ready.baseUrl}/create-post`, {
      method: 'POST',
      headers: { 'x-service-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ content: text, platforms: [platformId], publishNow: true }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
  const ended = (async () => {
    for (let count = 0; !stopping; count += 1) {
      const text = `Upgrade ${count}`;
      await post(text, apis[count % apis.length]!).catch((error: unknown) => void failures.push(`${text}: ${error}`));
      texts.push(text);
      await sleep(pauseMs);
    }
  })();
  return {
    useAlso: (api: CrierProcess) => void apis.push(api),
    useOnly: (api: CrierProcess) => {
      apis = [api];
    },
    /** Resolves after this many more posts have been answered. */
    async answered(more: number) {
      const wanted = texts.length + more;
      await expect.poll(() => texts.length).toBeGreaterThanOrEqual(wanted);
    },
    async stop() {
      stopping = true;
      await ended;
      return { texts, failures };
    },
  };
}
