import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { describeServer } from '../real/servers/server.ts';
import { anImage, type TestFile } from '../support/media-files.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type LoadReport, underLoad } from './load.ts';
import { untilReplicated } from './patroni.ts';

const isThorough = inject('isThorough');
/** How long each load lasts, if its trouble does not last longer. */
const seconds = isThorough ? 40 : 10;
const minutes = 60_000;

/** The longest that a worker is taken for alive after its last heartbeat, and the next heartbeat of another. */
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
          // The balancer looks every second whether a process is back.
          await sleep(3_000);
        }
      });
      tell('rolling restart', report);
      expect(report).toMatchObject({ ...nothingWrong, refused: {} });
      // A machine with other work to do is late before anything stops.
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
        cable.mend();
      });
      tell(`cut off: its last request to a network came ${silentAfter.toFixed(1)} s after the cut`, report);
      // It was the only one that published.
      expect(silentAfter).toBeGreaterThan(-5);
      expect(silentAfter).toBeLessThan(leaseSeconds);
      expect(report).toMatchObject(nothingWrong);
    },
    6 * minutes,
  );

  test(
    'a fail-over of the primary loses nothing, and posts go out again within 30 s',
    async () => {
      const primary = await untilReplicated(nodes);
      const report = await underLoad(cluster, Math.max(seconds, 40), () => primary.kill9());
      tell('kill -9 of the primary and its Patroni', report);
      expect(report).toMatchObject(nothingWrong);
      expect(report.recoveredAfterSeconds).toBeLessThan(30);
      primary.start();
      expect((await untilReplicated(nodes)).name).not.toBe(primary.name);
    },
    8 * minutes,
  );
});

const nothingWrong = { lost: [], twice: [], unpublished: [] };

function tell(what: string, { lost, twice, unpublished, refused, ...numbers }: LoadReport) {
  const wrong = { lost: lost.length, twice: twice.length, unpublished: unpublished.length };
  console.log(`${what}: ${JSON.stringify({ ...numbers, refused, ...wrong })}`);
}

/** A post with an image, which goes to the bucket by a signed address. Returns its id. */
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
