import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { describeServer } from '../real/servers/server.ts';
import { newer, withMigrations } from '../support/database/newer-migrations.ts';
import { anImage, type TestFile } from '../support/files/media.ts';
import { copyCheckout } from '../support/processes/checkouts.ts';
import { sandboxControl } from '../support/servers/sandbox-control.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { findFaketime } from './faketime.ts';
import { type LoadReport, underLoad } from './load.ts';
import { untilReplicated } from './patroni.ts';

const isThorough = inject('isThorough');
/** The minimum duration of each load; a longer fault extends it. */
const seconds = isThorough ? 40 : 10;
const minutes = 60_000;

/** The longest time until a dead worker's lease expires and another worker's heartbeat notices it. */
const leaseSeconds = 8;

const start = async () => ({ name: 'a cluster', cluster: await startCluster(isThorough) });

await describeServer('The cluster', start, ({ cluster }) => {
  const { nodes, apis, workers, cable } = cluster;
  afterAll(() => cluster[Symbol.asyncDispose]());

  test(
    'the API works behind PgBouncer in transaction mode, with notifications past it and files in a bucket',
    async () => {
      const [open] = await cluster.query<{ listeners: number }>(`
      select count(*)::int as listeners from pg_stat_activity where application_name = 'crier-listen'`);
      expect(open?.listeners).toBe(apis.length + workers.length);
      await published(cluster, await postPicture(cluster, await anImage()));
      const posts = await sandboxControl(cluster.sandboxUrl)<{ text: string; media: unknown[] }[]>('GET', '/posts');
      expect(posts.find(({ text }) => text === 'A picture from the bucket')?.media).toHaveLength(1);
      console.log(`files: ${cluster.storage}`);
    },
    2 * minutes,
  );

  test(
    'a rolling restart of every process fails no request and makes no post late by more than a second',
    async () => {
      const report = await underLoad(cluster, seconds, async () => {
        for (const member of [...apis, ...workers]) {
          await member.stop();
          await member.start();
          // The balancer checks once a second whether a process is back.
          await sleep(3_000);
        }
      });
      tell('rolling restart', report);
      expect(report).toMatchObject(nothingRefused);
      // On a busy machine, posts are late even before the fault.
      if (isThorough) expect(report.latestSeconds - report.latestBeforeSeconds).toBeLessThan(1);
    },
    6 * minutes,
  );

  test(
    'a kill of any process loses nothing and publishes nothing twice',
    async () => {
      const report = await underLoad(cluster, seconds, async () => {
        for (const member of [apis[0]!, workers[0]!, workers[1]!]) {
          await member.kill9();
          await member.start();
        }
      });
      tell('kill -9 of an API process and two workers', report);
      expect(report).toMatchObject(nothingWrong);
    },
    6 * minutes,
  );

  test(
    'a database without free connections makes work late and loses nothing',
    async () => {
      const report = await underLoad(cluster, seconds, async () => {
        await cluster.query('alter role crier connection limit 3');
        await cluster.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'crier'");
        await sleep(5_000);
        await cluster.query('alter role crier connection limit -1');
      });
      tell('three connections for everything, for 5 s', report);
      expect(report).toMatchObject(nothingWrong);
    },
    6 * minutes,
  );

  test(
    'a worker that is cut off from the database stops publishing within its lease',
    async () => {
      const [first, second] = workers;
      let silentAfter = 0;
      const report = await underLoad(cluster, seconds, async () => {
        await Promise.all([first!.stop(), second!.stop()]);
        cable.cut();
        const cutAt = Date.now();
        await sleep((leaseSeconds + 4) * 1000);
        silentAfter = ((await lastRequestAt(cluster)) - cutAt) / 1000;
        await Promise.all([first!.start(), second!.start()]);
        await sleep(2_000);
        cable.repair();
      });
      tell(`cut off: its last request to a network came ${silentAfter.toFixed(1)} s after the cut`, report);
      // It was the only worker that published.
      expect(silentAfter).toBeGreaterThan(-5);
      expect(silentAfter).toBeLessThan(leaseSeconds);
      expect(report).toMatchObject(nothingWrong);
    },
    6 * minutes,
  );

  test(
    'a disk that is slow makes posts late and loses nothing',
    async () => {
      const primary = await untilReplicated(nodes);
      const standby = nodes.find((node) => node !== primary);
      const slow = async (delay: string, commit: string) => {
        await cluster.query(`alter system set recovery_min_apply_delay = '${delay}'`, standby);
        await cluster.query(`alter system set synchronous_commit = '${commit}'`, primary);
        for (const node of nodes) await cluster.query('select pg_reload_conf()', node);
      };
      const report = await underLoad(cluster, seconds, async () => {
        await slow('500ms', 'remote_apply');
        await sleep(10_000);
        await slow('0', 'on');
      });
      tell('every commit takes half a second, for 10 s', report);
      expect(report).toMatchObject(nothingRefused);
    },
    6 * minutes,
  );

  test.skipIf(nodes.some(({ fillDisk }) => fillDisk === null))(
    'a full disk of the primary loses nothing (skipped where the test may not mount a disk)',
    async () => {
      const primary = await untilReplicated(nodes);
      const report = await underLoad(cluster, seconds, async () => {
        await primary.fillDisk?.();
        // Changes fit into the existing WAL files until these switches force new ones.
        for (const _ of Array(3)) await cluster.query('select pg_switch_wal()').catch(() => {});
        await sleep(10_000);
        await primary.freeDisk();
        await untilReplicated(nodes);
      });
      tell('the disk of the primary is full, for 10 s', report);
      expect(report).toMatchObject(nothingWrong);
    },
    8 * minutes,
  );

  const faketime = findFaketime();
  test.skipIf(faketime === null)(
    'a clock that jumps publishes nothing early (skipped without libfaketime)',
    async () => {
      const [, worker] = workers;
      const offset = join(cluster.folder, 'offset');
      const jump = (secondsAhead: number) =>
        writeFile(offset, `${secondsAhead < 0 ? '' : '+'}${secondsAhead}`, { mode: 0o644 });
      await jump(0);
      await worker!.stop();
      await worker!.start({ environment: { LD_PRELOAD: faketime ?? '', ...fakedBy(offset) } });
      const report = await underLoad(cluster, seconds, async () => {
        for (const secondsAhead of [3_600, -3_600, 0]) {
          await jump(secondsAhead);
          await sleep(7_000);
        }
      });
      await worker!.stop();
      await worker!.start();
      tell('the clock of a worker jumps an hour ahead, two hours back, and to the right time', report);
      expect(report).toMatchObject(nothingRefused);
      expect(report.earliestSeconds).toBeGreaterThan(-0.5);
    },
    6 * minutes,
  );

  test(
    'a rolling upgrade across migrations fails no request and loses nothing',
    async () => {
      const checkout = join(cluster.folder, 'newer');
      await copyCheckout(checkout);
      await withMigrations(join(checkout, 'migrations'));
      const report = await underLoad(cluster, seconds, async () => {
        for (const member of [...workers, ...apis]) {
          await member.stop();
          await member.start({ checkout });
          await sleep(3_000);
        }
      });
      tell('rolling upgrade', report);
      const applied = await cluster.query<{ name: string }>(
        `select name from migrations where name like '8%' order by name`,
      );
      expect(applied.map(({ name }) => name)).toEqual(Object.keys(newer));
      expect(report).toMatchObject(nothingRefused);
      if (isThorough) expect(report.latestSeconds - report.latestBeforeSeconds).toBeLessThan(1);
    },
    8 * minutes,
  );

  test(
    'a fail-over of the primary loses nothing, and posts go out again within 30 s',
    async () => {
      const primary = await untilReplicated(nodes);
      const report = await underLoad(cluster, Math.max(seconds, 40), () => primary.kill9());
      tell('kill -9 of the primary and its Patroni', report);
      expect(report).toMatchObject(nothingWrong);
      if (isThorough) expect(report.recoveredAfterSeconds).toBeLessThan(30);
      primary.start();
      expect((await untilReplicated(nodes)).name).not.toBe(primary.name);
    },
    8 * minutes,
  );
});

/** The file sets the clock's error. Monotonic clocks are not affected, as on a real machine. */
const fakedBy = (file: string) => ({
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
});

const nothingWrong = { lost: [], twice: [], unpublished: [] };
/** On a busy machine, processes respond so slowly that the balancer considers them down. */
const nothingRefused = { ...nothingWrong, ...(isThorough && { refused: {} }) };

function tell(what: string, { lost, twice, unpublished, refused, ...numbers }: LoadReport) {
  const wrong = { lost: lost.length, twice: twice.length, unpublished: unpublished.length };
  console.log(`${what}: ${JSON.stringify({ ...numbers, refused, ...wrong })}`);
}

/** A post with an image, uploaded to the bucket through a signed URL. Returns its id. */
async function postPicture({ apiUrl, apiKey, query }: Cluster, { bytes, type }: TestFile): Promise<string> {
  const [target] = await query<{ id: string }>(
    `select platform || '-' || account_id as id from connections where platform = 'mastodon'`,
  );
  const crier = new Crier({ baseUrl: apiUrl, apiKey });
  const { postGroupId } = await crier.createPost({
    content: 'A picture from the bucket',
    platforms: [target?.id ?? ''],
  });
  await crier.uploadMedia(new File([new Uint8Array(bytes)], 'picture.jpg', { type }), { postGroupId });
  const scheduledTime = new Date(Date.now() + 2_000).toISOString();
  await crier.updatePost({ postGroupId, status: 'scheduled', scheduledTime });
  return postGroupId;
}

async function published({ query }: Cluster, postGroupId: string) {
  await expect
    .poll(() => query(`select status from platform_posts where post_group_id = '${postGroupId}'`), { timeout: 30_000 })
    .toEqual([{ status: 'published' }]);
}

async function lastRequestAt({ sandboxUrl }: Cluster): Promise<number> {
  const requests = await sandboxControl(sandboxUrl)<{ time: string }[]>('GET', '/requests');
  return Math.max(...requests.map(({ time }) => Date.parse(time)));
}
