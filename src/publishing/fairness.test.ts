import { expect, onTestFinished, test, vi } from 'vitest';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { connectSandboxAccount } from '../connections/sandbox.ts';
import { startPublishing } from './tasks.ts';

// Making hundreds of accounts takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** More than one process publishes to at once. */
const manyConnections = 100;
const postsOnEach = 10;
/** What a fair share leaves far behind: a quarter of all that the other user has due. */
const few = (manyConnections * postsOnEach) / 4;

/** A service in which every post takes the network a moment, one user with much to publish, and one with little. */
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
    /** What the network holds of the agency's posts before the person's, once that is there. */
    async before(text: string) {
      await vi.waitFor(async () => expect(await texts()).toContain(text), { timeout: 40_000, interval: 100 });
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

test('what one user has due on many connections does not delay another user’s post that is due a moment later', async () => {
  const { agency, person, before, publishing } = await aStage();
  const own = [await person.aConnection()];
  await agencyPosts(agency);
  await publishNow(person, 'Just me', own);
  await publishing();
  expect(await before('Just me')).toBeLessThan(few);
});

test('nor does it when it is under way already and holds every place', async () => {
  const { agency, person, before, arrived, publishing } = await aStage();
  const own = [await person.aConnection()];
  await agencyPosts(agency);
  await publishing();
  await vi.waitFor(async () => expect(await arrived()).toBeGreaterThan(manyConnections), { timeout: 20_000 });
  const alreadyThere = await arrived();
  await publishNow(person, 'Me in between', own);
  expect((await before('Me in between')) - alreadyThere).toBeLessThan(few);
});

test('hundreds of due posts on one connection do not delay another user’s', async () => {
  const { agency, person, before, publishing } = await aStage();
  const [own, busy] = [[await person.aConnection()], [await agency.aConnection()]];
  for (let post = 1; post <= 300; post += 1) await publishNow(agency, `One after the other ${post}`, busy);
  await publishNow(person, 'Beside them', own);
  await publishing();
  expect(await before('Beside them')).toBeLessThan(30);
});

test('a network that answers nobody holds no other network up', async () => {
  const { service, agency, person, publishing } = await aStage();
  await service.sandbox.clearFaults();
  const quick = await aBlueskyConnection(service, person);
  const connections = await connectionsOf(agency, manyConnections);
  await service.sandbox.fault({ kind: 'timeout', operation: 'publish', times: 1_000_000 });
  await publishNow(agency, 'Into the void', connections);
  await publishing();
  const waiting = async () => (await service.sandbox.requests()).filter(({ operation }) => operation === 'publish');
  await vi.waitFor(async () => expect((await waiting()).length).toBeGreaterThan(50), { timeout: 20_000 });
  const id = await publishNow(person, 'Elsewhere', [quick]);
  const status = async () => (await person.call('GET', `/get-post/${id}`)).body.status;
  await vi.waitFor(async () => expect(await status()).toBe('published'), { timeout: 20_000, interval: 100 });
});

async function aBlueskyConnection({ app, sandbox }: TestService, user: TestUser) {
  const account = { platform: 'bluesky', handle: 'quick' } as const;
  return (await connectSandboxAccount(app, sandbox.url, user.id, account)).platformId;
}
