import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishDue, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { type TestClock, testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

let clock: TestClock;
let service: TestService;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());

type Vendor = 'mastodon' | 'twitter' | 'facebook' | 'linkedin' | 'threads';
const run = (worker?: string) => publishDue(service.app, worker);
const fault = (vendor: Vendor, what: SandboxFault) =>
  service.sandbox.control('POST', '/faults', { network: vendor, operation: 'publish', ...what });
const idsAt = async (vendor: Vendor, text: string) =>
  (await service.sandbox.control<SandboxPost[]>('GET', `/posts?network=${vendor}`))
    .filter((post) => post.text === text)
    .map(({ id }) => id);
const connect = (user: TestUser, platform: Vendor, handle: string) =>
  connectSandboxAccount(service.app, service.sandbox.url, user.id, { platform, handle });

async function aPost(user: TestUser, platformId: string, content: string) {
  const { body } = await user.call('POST', '/create-post', { content, platforms: [platformId], publishNow: true });
  return async () => (await user.call('GET', `/get-post/${body.postGroupId}`)).body.posts[0];
}

/** Backdates the last request of each post by the given number of seconds, in the order the posts were created. */
async function sentSecondsAgo(...ages: number[]) {
  for (const [index, age] of ages.entries()) {
    await service.database.pool.query(
      `update publish_steps set last_sent_at = clock_timestamp() - make_interval(secs => $2)
        where ended_at is null and makes_visible and platform_post_id = (
          select post.id from platform_posts post join publish_steps on platform_post_id = post.id
          where ended_at is null and makes_visible order by post.created_at, post.id offset $1 limit 1)`,
      [index, age],
    );
  }
}

/** Advances until sent requests can no longer arrive and the next attempt is due. */
async function later() {
  await requestsAreOver(service.app);
  clock.advance({ seconds: 100 });
  await run();
}

test('of two equal posts, the one whose request was cut is sent again and not taken for the other', async () => {
  const ada = await service.aUser();
  const { platformId } = await connect(ada, 'mastodon', 'twins');
  const first = await aPost(ada, platformId, 'Twins');
  await run();
  clock.advance({ seconds: 2 });
  const second = await aPost(ada, platformId, 'Twins');
  await fault('mastodon', { kind: 'reset_before' });
  await run();
  await later();
  const [one, other] = await idsAt('mastodon', 'Twins');
  expect([await first(), await second()]).toMatchObject([
    { status: 'published', postedId: one },
    { status: 'published', postedId: other },
  ]);
  expect(other).toBeDefined();
});

test.for<Vendor>(['twitter', 'facebook'])(
  'of two equal posts, the one whose request was cut is refused as a duplicate where %s allows none',
  async (vendor) => {
    const ada = await service.aUser();
    const { platformId } = await connect(ada, vendor, `twins${vendor}`);
    const first = await aPost(ada, platformId, 'Twice');
    await run();
    clock.advance({ seconds: 2 });
    const second = await aPost(ada, platformId, 'Twice');
    await fault(vendor, { kind: 'reset_before' });
    await run();
    await later();
    const [only, ...others] = await idsAt(vendor, 'Twice');
    expect(others).toEqual([]);
    expect([await first(), await second()]).toMatchObject([
      { status: 'published', postedId: only },
      { status: 'failed', error: { message: expect.stringMatching(/same text twice/) } },
    ]);
  },
);

test('equal posts of two users to the same account never get the same id, even if both look for it at the same time', async () => {
  const users = await Promise.all([service.aUser(), service.aUser()]);
  const posts = await Promise.all(
    users.map(async (user) => {
      const { platformId } = await connect(user, 'mastodon', 'shared');
      return aPost(user, platformId, 'Shared');
    }),
  );
  // One request arrives and its response is lost; the other never arrives.
  await fault('mastodon', { kind: 'reset_after', times: 1 });
  await fault('mastodon', { kind: 'reset_before', times: 1 });
  await run();
  expect(await idsAt('mastodon', 'Shared')).toHaveLength(1);
  await requestsAreOver(service.app);
  clock.advance({ seconds: 100 });
  await Promise.all([run('one'), run('two')]);
  await later();
  const ids = await idsAt('mastodon', 'Shared');
  expect(ids).toHaveLength(2);
  const ends = await Promise.all(posts.map((post) => post()));
  expect(ends.map(({ status }) => status)).toEqual(['published', 'published']);
  expect(ends.map(({ postedId }) => postedId).toSorted()).toEqual(ids.toSorted());
});

test('a post does not take what may belong to an equal one that is still in flight', async () => {
  const users = await Promise.all([service.aUser(), service.aUser()]);
  const posts: (() => Promise<{ status: string; postedId: string | null }>)[] = [];
  for (const user of users) {
    const { platformId } = await connect(user, 'mastodon', 'racing');
    posts.push(await aPost(user, platformId, 'Racing'));
    await fault('mastodon', { kind: posts.length === 1 ? 'reset_before' : 'reset_after' });
    await run();
  }
  clock.advance({ seconds: 31 });
  await run();
  // The published post belongs to the second post, and both search for it while the other may be in flight.
  expect((await Promise.all(posts.map((post) => post()))).map(({ status }) => status)).toEqual([
    'processing',
    'processing',
  ]);
  await later();
  await later();
  const ids = await idsAt('mastodon', 'Racing');
  const ends = await Promise.all(posts.map((post) => post()));
  expect(ids).toHaveLength(2);
  expect(ends.map(({ postedId }) => postedId).toSorted()).toEqual(ids.toSorted());
});

describe('an answer that was lost', () => {
  const lose = async (
    vendor: Vendor,
    handle: string,
    texts: readonly string[],
    kinds: readonly SandboxFault['kind'][],
  ) => {
    await service.database.pool.query('truncate publish_steps');
    const posts: Awaited<ReturnType<typeof aPost>>[] = [];
    for (const [index, text] of texts.entries()) {
      const user = await service.aUser();
      const { platformId } = await connect(user, vendor, handle);
      posts.push(await aPost(user, platformId, text));
      await fault(vendor, { kind: kinds[index]!, times: 1 });
      await run();
    }
    return async () => Promise.all(posts.map(async (post) => (await post()).status));
  };

  test.for<Vendor>(['linkedin', 'mastodon', 'twitter', 'facebook', 'threads'])(
    'is settled on %s although posts with other texts are still in flight',
    async (vendor) => {
      const texts = ['The first', 'The second', 'The third'];
      const statuses = await lose(vendor, `various${vendor}`, texts, ['reset_after', 'reset_after', 'reset_after']);
      await sentSecondsAgo(92, 60, 30);
      clock.advance({ seconds: 100 });
      await run();
      const [first] = await statuses();
      expect(first).toBe('published');
      await sentSecondsAgo(92, 92);
      clock.advance({ seconds: 100 });
      await run();
      expect(await statuses()).toEqual(['published', 'published', 'published']);
      for (const text of texts) expect(await idsAt(vendor, text)).toHaveLength(1);
    },
  );

  test('waits for an equal post once, not again after each repeat', async () => {
    const statuses = await lose('linkedin', 'impatient', ['Equal', 'Equal'], ['reset_after', 'reset_before']);
    await sentSecondsAgo(92, 60);
    clock.advance({ seconds: 100 });
    await run();
    // LinkedIn returned a post that the other one could own as long as its request may still arrive.
    expect(await statuses()).toEqual(['processing', 'processing']);
    await service.database.pool.query(
      `update publish_steps set last_sent_at = 'epoch' where last_sent_at < clock_timestamp() - interval '30 seconds'`,
    );
    clock.advance({ seconds: 100 });
    await run();
    expect((await statuses()).toSorted()).toEqual(['failed', 'published']);
    expect(await idsAt('linkedin', 'Equal')).toHaveLength(1);
  });
});
