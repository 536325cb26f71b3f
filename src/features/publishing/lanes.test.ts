import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../test/support/database/postgres.ts';
import { everyPlace, publishDue, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { detachPosts } from '../connections/detach-queries.ts';
import { disconnect } from '../connections/disconnect.ts';
import { publishNext } from './attempt/attempt.ts';
import { withBatchedWrites } from './attempt/batched-writes.ts';
import { dispatch } from './lanes/dispatcher.ts';
import {
  announceJoining,
  announceLeaving,
  partitionAmong,
  selectOthers,
  sendHeartbeat,
} from './lanes/heartbeat-queries.ts';
import { claimLanes, releaseLane } from './lanes/lane-queries.ts';
import { startPublishing } from './tasks.ts';

let service: TestService;
let ada: TestUser;

beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());

const signal = new AbortController().signal;

async function aDuePost(content: string, platforms?: string[]) {
  const targets = platforms ?? [await ada.aConnection()];
  const { body } = await ada.call('POST', '/create-post', { content, platforms: targets, publishNow: true });
  return {
    targets,
    read: async () => (await ada.call('GET', `/get-post/${body.postGroupId}`)).body,
    remove: () => ada.call('DELETE', `/delete-post/${body.postGroupId}`),
    atTheVendor: async () => (await service.sandbox.posts()).filter(({ text }) => text === content),
  };
}

/** The default timeout is generous, because a busy machine can be ten times slower. */
const until = (condition: () => Promise<boolean>) => expect.poll(condition, { interval: 20 }).toBe(true);

/** How many publish requests the network received. */
const publishRequests = async () =>
  (await service.sandbox.requests()).filter(({ operation }) => operation === 'publish').length;

describe('a lane', () => {
  test('belongs to one worker at a time', async () => {
    const { app } = service;
    await aDuePost('one owner');
    await dispatch(app);
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((worker) => claimLanes(app.db, worker, app.clock.now(), everyPlace)),
    );
    const taken = claims.flat().map(({ connectionId }) => connectionId);
    expect(taken).toHaveLength(1);
    const owner = ['a', 'b', 'c'][claims.findIndex((lanes) => lanes.length === 1)]!;
    for (const other of ['a', 'b', 'c'].filter((worker) => worker !== owner)) {
      expect(await publishNext(withBatchedWrites(app), other, taken[0]!, signal)).toBe(false);
    }
    expect(await publishNext(withBatchedWrites(app), owner, taken[0]!, signal)).toBe(true);
    await releaseLane(app.db, owner, taken[0]!, app.clock.now());
  });

  test('stays due when a post joins it while its worker releases it', async () => {
    const { app, database } = service;
    const first = await aDuePost('first in the lane');
    await dispatch(app);
    const [{ connectionId: lane } = { connectionId: '' }] = await claimLanes(
      app.db,
      'leaver',
      app.clock.now(),
      everyPlace,
    );
    while (await publishNext(withBatchedWrites(app), 'leaver', lane, signal));

    // The dispatcher has added the second post to the lane but has not committed when the worker releases the lane.
    const joining = await database.pool.connect();
    await joining.query('begin');
    await joining.query(
      'update publish_lanes set run_at = least(run_at, now()), version = version + 1 where connection_id = $1',
      [lane],
    );
    const leaving = releaseLane(app.db, 'leaver', lane, app.clock.now());
    await lockIsAwaited(database);
    await joining.query('commit');
    joining.release();
    await leaving;
    const { rows } = await database.pool.query('select worker, run_at from publish_lanes where connection_id = $1', [
      lane,
    ]);
    expect(rows[0]).toMatchObject({ worker: null, run_at: expect.any(Date) });
    expect((await first.read()).status).toBe('published');
    await publishDue(app);
  });
});

test('a worker whose own heartbeats were missing does not declare others dead: the database was away', async () => {
  const { app, database } = service;
  const heartbeat = (id: string) => sendHeartbeat(app.db, { id, lanes: [], dispatchedAt: null }, 6);
  await heartbeat('self');
  await heartbeat('other');
  const workers = async () =>
    (await database.pool.query(`select id from workers where id in ('self', 'other') order by id`)).rows.map(
      ({ id }) => id,
    );
  await database.pool.query(`update workers set seen_at = now() - interval '7 seconds'`);
  await heartbeat('self');
  expect(await workers()).toEqual(['other', 'self']);
  await heartbeat('self');
  expect(await workers()).toEqual(['self']);
  await database.pool.query('delete from workers');
});

describe('lanes that are due at the same time', () => {
  test('are partitioned between the live workers, and any worker claims those that are left waiting', async () => {
    const { app } = service;
    const targets = await Promise.all(Array.from({ length: 36 }, () => ada.aConnection()));
    await aDuePost('for all workers', targets);
    await dispatch(app);
    const now = app.clock.now();
    const partitions = [0, 1, 2].map((index) => ({ index, count: 3 }));
    const ownPart = () => partitions[0]!;
    const [first = [], second = []] = await Promise.all(
      partitions
        .slice(0, 2)
        .map((partition) => claimLanes(app.db, `worker ${partition.index}`, now, everyPlace, () => partition)),
    );
    const left = targets.length - first.length - second.length;
    expect([first.length, second.length, left].every((lanes) => lanes > 0)).toBe(true);
    // The third worker does not claim its lanes.
    expect(await claimLanes(app.db, 'worker 0', now, everyPlace, ownPart)).toEqual([]);
    const later = new Date(now.getTime() + 1_000);
    expect(await claimLanes(app.db, 'worker 0', later, everyPlace, ownPart)).toHaveLength(left);
    await sendHeartbeat(app.db, { id: 'janitor', lanes: [], dispatchedAt: null }, 60);
    await publishDue(app);
  });

  test('each worker learns its partition from its heartbeat', async () => {
    const { app, database } = service;
    await database.pool.query('delete from workers');
    const partitions = [];
    for (const id of ['b', 'a', 'c', 'b']) {
      const { others } = await sendHeartbeat(app.db, { id, lanes: [], dispatchedAt: null, serves: ['mastodon'] }, 60);
      partitions.push(partitionAmong(others, id, 'mastodon'));
    }
    expect(partitions).toEqual([
      { index: 0, count: 1 },
      { index: 0, count: 2 },
      { index: 2, count: 3 },
      { index: 1, count: 3 },
    ]);
    await database.pool.query('delete from workers');
  });

  test('those of a platform are divided among the workers that serve it', async () => {
    const { app, database } = service;
    await database.pool.query('delete from workers');
    const served = { a: ['mastodon', 'bluesky'], b: ['youtube'], c: ['mastodon'] };
    const partitions: Record<string, object> = {};
    for (const [id, serves] of Object.entries(served)) {
      await sendHeartbeat(app.db, { id, lanes: [], dispatchedAt: null, serves }, 60);
    }
    for (const [id, serves] of Object.entries(served)) {
      const { others } = await sendHeartbeat(app.db, { id, lanes: [], dispatchedAt: null, serves }, 60);
      for (const platform of serves) partitions[`${platform} of ${id}`] = partitionAmong(others, id, platform);
    }
    expect(partitions).toEqual({
      'mastodon of a': { index: 0, count: 2 },
      'mastodon of c': { index: 1, count: 2 },
      'bluesky of a': { index: 0, count: 1 },
      'youtube of b': { index: 0, count: 1 },
    });
    await database.pool.query('delete from workers');
  });

  test('a worker that begins tells the others, which divide the lanes again immediately', async () => {
    const { app, database } = service;
    await database.pool.query('delete from workers');
    const notified: string[] = [];
    app.listener.on('worker_joined', (id) => void notified.push(id));
    await until(async () => app.listener.connected);
    const worker = { lanes: [], dispatchedAt: null, serves: ['mastodon'] };
    for (const id of ['b', 'a']) {
      await sendHeartbeat(app.db, { ...worker, id }, 60);
      await announceJoining(app.db, id);
    }
    await until(async () => notified.length > 1);
    expect(notified).toEqual(['b', 'a']);
    expect(partitionAmong(await selectOthers(app.db, 'b'), 'b', 'mastodon')).toEqual({ index: 1, count: 2 });
    await database.pool.query('delete from workers');
  });

  test('a worker that says that it stops tells the others before it is gone', async () => {
    const { app, database } = service;
    await database.pool.query('delete from workers');
    const worker = { lanes: [], dispatchedAt: null };
    for (const id of ['a', 'b', 'c']) await sendHeartbeat(app.db, { ...worker, id }, 60);
    const notified: string[] = [];
    app.listener.on('worker_leaving', (id) => void notified.push(id));
    await until(async () => app.listener.connected);
    await announceLeaving(app.db, 'c');
    await until(async () => notified.length > 0);
    expect(notified).toEqual(['c']);
    await database.pool.query('delete from workers');
  });
});

describe('a worker that is believed dead', () => {
  test('cannot write results after another has taken over, and the post is published once', async () => {
    const { app, sandbox } = service;
    const post = await aDuePost('slow but alive');
    await sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 600 });
    await dispatch(app);
    const [{ connectionId: lane } = { connectionId: '' }] = await claimLanes(
      app.db,
      'slow',
      app.clock.now(),
      everyPlace,
    );
    const before = await publishRequests();
    const slow = publishNext(withBatchedWrites(app), 'slow', lane, signal);
    await until(async () => (await publishRequests()) > before);

    // "slow" sent no heartbeat, so its lane is freed.
    expect((await sendHeartbeat(app.db, { id: 'quick', lanes: [], dispatchedAt: null }, 60)).freed).toBe(1);
    await claimLanes(app.db, 'quick', app.clock.now(), everyPlace);
    await requestsAreOver(app);
    await publishNext(withBatchedWrites(app), 'quick', lane, signal);
    await slow;
    await releaseLane(app.db, 'quick', lane, app.clock.now());

    const found = await post.atTheVendor();
    expect(found).toHaveLength(1);
    expect((await post.read()).posts[0]).toMatchObject({ status: 'published', postedId: found[0]?.id });
  });

  test('loses its lanes when its heartbeat has been missing for long enough, and not before', async () => {
    const { app, database } = service;
    await sendHeartbeat(app.db, { id: 'silent', lanes: [], dispatchedAt: null }, 60);
    const post = await aDuePost('left behind');
    await dispatch(app);
    await claimLanes(app.db, 'silent', app.clock.now(), everyPlace);
    expect((await sendHeartbeat(app.db, { id: 'other', lanes: [], dispatchedAt: null }, 6)).freed).toBe(0);
    await database.pool.query("update workers set seen_at = now() - interval '7 seconds' where id = 'silent'");
    expect((await sendHeartbeat(app.db, { id: 'other', lanes: [], dispatchedAt: null }, 6)).freed).toBe(1);
    await publishDue(app);
    expect((await post.read()).status).toBe('published');
  });
});

test('a post that is deleted while it is being published stays deleted', async () => {
  const { app, sandbox } = service;
  const post = await aDuePost('deleted in flight');
  await sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 300 });
  const before = await publishRequests();
  const publishing = publishDue(app);
  await until(async () => (await publishRequests()) > before);
  expect((await post.remove()).status).toBe(200);
  await publishing;
  expect((await post.read()).error).toBe('Post group not found');
});

test('disconnecting an account does not wait for a post that is ending, which is detached later', async () => {
  const { app, database } = service;
  const post = await aDuePost('ends meanwhile');
  const attached = () =>
    database.pool.query(`select from platform_posts where content = 'ends meanwhile' and connection_id is not null`);
  const ending = await database.pool.connect();
  try {
    await dispatch(app);
    await ending.query('begin');
    await ending.query(`select from platform_posts where content = 'ends meanwhile' for update`);
    expect(await disconnect(app, { userId: ada.id }, post.targets[0]!)).toEqual({ success: true });
    expect((await attached()).rowCount).toBe(1);
    await ending.query('commit');
    await detachPosts(app.db);
    expect((await attached()).rowCount).toBe(0);
  } finally {
    ending.release();
  }
});

describe('with workers running', () => {
  test('two of them on one database publish everything once', async () => {
    const second = await testApp({ database: service.database, sandboxUrl: service.sandbox.url });
    const workers = [await startPublishing(service.app), await startPublishing(second.app)];
    try {
      const connections: string[] = [];
      for (let i = 0; i < 10; i += 1) connections.push(await ada.aConnection());
      const posts = await Promise.all(Array.from({ length: 20 }, (_, i) => aDuePost(`shared ${i}`, connections)));
      const left = `select from post_groups where content like 'shared %' and status <> 'published'`;
      await until(async () => (await service.database.pool.query(left)).rowCount === 0);
      expect(new Set((await Promise.all(posts.map((post) => post.read()))).map(({ status }) => status))).toEqual(
        new Set(['published']),
      );
      const texts = (await service.sandbox.posts())
        .map(({ text, account }) => `${text} ${account}`)
        .filter((text) => text.startsWith('shared '));
      expect(texts).toHaveLength(200);
      expect(new Set(texts).size).toBe(200);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop(5_000)));
      await second.close();
    }
  });

  test('one that serves other networks leaves a post to one that serves its network', async () => {
    const { database, sandbox, app } = service;
    const environment = { NETWORKS_SERVED: 'bluesky' };
    const other = await testApp({ database, sandboxUrl: sandbox.url, environment });
    const workers = [await startPublishing(other.app)];
    try {
      const post = await aDuePost('for a worker of its network');
      const isDispatched = `select from publish_lanes where run_at is not null and worker is null`;
      await until(async () => (await database.pool.query(isDispatched)).rowCount === 1);
      expect((await post.read()).status).toBe('scheduled');
      workers.push(await startPublishing(app));
      await until(async () => (await post.read()).status === 'published');
    } finally {
      await Promise.all(workers.map((worker) => worker.stop(5_000)));
      await other.close();
    }
  });

  test('a post that is due in a moment is published at its time', async () => {
    const worker = await startPublishing(service.app);
    try {
      const platforms = [await ada.aConnection()];
      const scheduledTime = new Date(service.app.clock.now().getTime() + 1_000).toISOString();
      await ada.call('POST', '/create-post', { content: 'in a second', platforms, scheduledTime });
      const arrived = async () => (await service.sandbox.posts()).find(({ text }) => text === 'in a second');
      await until(async () => (await arrived()) !== undefined);
      expect(Date.parse((await arrived())!.createdAt)).toBeGreaterThanOrEqual(Date.parse(scheduledTime));
    } finally {
      await worker.stop(5_000);
    }
  });

  test('one that loses a lane while it runs and claims it again does not run it twice', async () => {
    const { app, sandbox, database } = service;
    const post = await aDuePost('one run at a time');
    await sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 600 });
    const worker = await startPublishing(app);
    await until(async () => (await post.read()).posts[0].status === 'processing');
    await database.pool.query('update publish_lanes set worker = null where worker is not null');
    await database.pool.query(`select pg_notify('lane_ready', '')`);
    await until(async () => (await post.read()).status === 'published');
    await worker.stop(5_000);
    const { rows } = await database.pool.query(
      `select from post_logs join platform_posts on platform_posts.id = platform_post_id
      where content = 'one run at a time' and event = 'publish_attempted'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('one that stops finishes the running post and frees its lanes', async () => {
    const worker = await startPublishing(service.app);
    const post = await aDuePost('last words');
    await service.sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 400 });
    await until(async () => (await post.read()).posts[0].status === 'processing');
    await worker.stop(5_000);
    expect((await post.read()).status).toBe('published');
    const { rows } = await service.database.pool.query('select from publish_lanes where worker is not null');
    expect(rows).toHaveLength(0);
  });
});
