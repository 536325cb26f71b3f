import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { dispatch } from './lanes/dispatcher.ts';
import { startPublishing } from './tasks.ts';

// Creating hundreds of accounts is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Per process. */
const lanesPerPlatform = 256;
/** More connections than a user may run lanes, and more posts per connection than a lane publishes in one turn. */
const manyConnections = 200;
const postsOnEach = 15;
/** A quarter of the other user's due posts. With fair turns, far fewer are published first. */
const few = (manyConnections * postsOnEach) / 4;

/** A service with a slow platform, one user with many due posts, and one with a single post. */
async function aStage() {
  const service = await testService();
  onTestFinished(() => service.close());
  const [agency, person] = [await service.aUser({ plan: 'agency' }), await service.aUser()];
  await service.sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 200, times: 1_000_000 });
  const texts = async () => (await service.sandbox.posts()).map(({ text }) => text);
  return {
    service,
    agency,
    person,
    /** How many posts the platform received before this one. */
    async before(text: string) {
      await eventually(async () => expect(await texts()).toContain(text), { interval: 100 });
      return (await texts()).indexOf(text);
    },
    arrived: async () => (await texts()).length,
    async publishing() {
      const worker = await startPublishing(service.app);
      onTestFinished(() => worker.stop(1_000));
    },
  };
}

const connectionsOf = (user: TestUser, count: number) =>
  Promise.all(Array.from({ length: count }, () => user.aConnection()));

async function publishNow(user: TestUser, content: string, platforms: string[]) {
  const { status, body } = await user.call('POST', '/create-post', { content, platforms, publishNow: true });
  expect(status).toBe(200);
  return body.postGroupId as string;
}

async function agencyPosts(agency: TestUser) {
  const connections = await connectionsOf(agency, manyConnections);
  for (let post = 1; post <= postsOnEach; post += 1) await publishNow(agency, `Agency ${post}`, connections);
}

test('posts of one user on many connections do not delay a post of another user that is due a moment later', async () => {
  const { agency, person, before, publishing } = await aStage();
  const own = [await person.aConnection()];
  await agencyPosts(agency);
  await publishNow(person, 'Just me', own);
  await publishing();
  expect(await before('Just me')).toBeLessThan(few);
});

test('posts of one user that run already and take all the capacity do not delay a post of another user', async () => {
  const { agency, person, before, arrived, publishing } = await aStage();
  const own = [await person.aConnection()];
  await agencyPosts(agency);
  await publishing();
  await eventually(async () => expect(await arrived()).toBeGreaterThan(manyConnections));
  const alreadyThere = await arrived();
  await publishNow(person, 'Me in between', own);
  expect((await before('Me in between')) - alreadyThere).toBeLessThan(few);
});

test('hundreds of due posts on one connection do not delay a post of another user', async () => {
  const { agency, person, before, publishing } = await aStage();
  const [own, busy] = [[await person.aConnection()], [await agency.aConnection()]];
  for (let post = 1; post <= 300; post += 1) await publishNow(agency, `One after the other ${post}`, busy);
  await publishNow(person, 'Beside them', own);
  await publishing();
  expect(await before('Beside them')).toBeLessThan(30);
});

test('posts of one user to servers that do not respond leave capacity to others on the same platform', async () => {
  const { service, agency, person, publishing } = await aStage();
  await service.sandbox.clearFaults();
  const [own, connections] = [[await person.aConnection()], await connectionsOf(agency, lanesPerPlatform + 20)];
  await service.sandbox.fault({ kind: 'timeout', operation: 'publish', times: 1_000_000 });
  await publishNow(agency, 'Into the void', connections);
  await publishing();
  const hanging = async () =>
    (await service.sandbox.requests()).filter(({ operation }) => operation === 'publish').length;
  await eventually(async () => expect(await hanging()).toBeGreaterThanOrEqual((lanesPerPlatform * 3) / 4));
  // Requests that already hang keep hanging.
  await service.sandbox.clearFaults();
  const id = await publishNow(person, 'Beside the void', own);
  const status = async () => (await person.call('GET', `/get-post/${id}`)).body.status;
  // Before the first hanging request times out.
  await expect.poll(status, { timeout: 20_000, interval: 100 }).toBe('published');
  expect((await service.sandbox.posts()).map(({ text }) => text)).toEqual(['Beside the void']);
});

test('a platform that does not respond delays no other platform', async () => {
  const { service, agency, person, publishing } = await aStage();
  await service.sandbox.clearFaults();
  const quick = await aBlueskyConnection(service, person);
  const connections = await connectionsOf(agency, manyConnections);
  await service.sandbox.fault({ kind: 'timeout', operation: 'publish', times: 1_000_000 });
  await publishNow(agency, 'Into the void', connections);
  await publishing();
  const waiting = async () => (await service.sandbox.requests()).filter(({ operation }) => operation === 'publish');
  await eventually(async () => expect((await waiting()).length).toBeGreaterThan(50));
  const id = await publishNow(person, 'Elsewhere', [quick]);
  const status = async () => (await person.call('GET', `/get-post/${id}`)).body.status;
  // Before the first request to the unresponsive platform times out.
  await expect.poll(status, { timeout: 20_000, interval: 100 }).toBe('published');
});

describe('a post that is locked by a hanging transaction delays no other', () => {
  /** A transaction held by a process that was suspended halfway through. */
  async function lock({ database }: TestService, id: string) {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select from post_groups where id = $1 for update', [id]);
    await client.query('select from platform_posts where post_group_id = $1 for update', [id]);
    return {
      async [Symbol.asyncDispose]() {
        await client.query('rollback');
        client.release();
      },
    };
  }

  async function aLockedPost() {
    const stage = await aStage();
    await stage.service.sandbox.clearFaults();
    const [own, others] = [[await stage.person.aConnection()], [await stage.agency.aConnection()]];
    return { ...stage, own, locked: await publishNow(stage.agency, 'Locked', others) };
  }
  const published = (user: TestUser, id: string) =>
    eventually(async () => expect((await user.call('GET', `/get-post/${id}`)).body.status).toBe('published'), {
      interval: 50,
    });

  test('before it is claimed', async () => {
    const { service, agency, person, own, locked, publishing } = await aLockedPost();
    await dispatch(service.app);
    {
      await using _ = await lock(service, locked);
      await publishing();
      await published(person, await publishNow(person, 'Free', own));
    }
    await published(agency, locked);
  });

  test('while it is being published', async () => {
    const { service, agency, person, own, locked, publishing, before } = await aLockedPost();
    await service.sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 500 });
    await publishing();
    const status = async () => (await agency.call('GET', `/get-post/${locked}`)).body.posts[0].status;
    await eventually(async () => expect(await status()).toBe('processing'), { interval: 10 });
    {
      await using _ = await lock(service, locked);
      await before('Locked');
      await published(person, await publishNow(person, 'Free', own));
    }
    await published(agency, locked);
  });
});

async function aBlueskyConnection({ app, sandbox }: TestService, user: TestUser) {
  const account = { platform: 'bluesky', handle: 'quick' } as const;
  return (await connectSandboxAccount(app, sandbox.url, user.id, account)).platformId;
}
