import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishDue, publishLanes, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { type TestClock, testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { disconnect } from '../connections/disconnect.ts';
import { publishingTasks } from './tasks.ts';

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
/** Like `run`, but no dispatcher ends the posts of disconnected accounts. */
const runLanes = () => publishLanes(service.app);
const fault = (vendor: Vendor, what: SandboxFault) =>
  service.sandbox.control('POST', '/faults', { network: vendor, operation: 'publish', ...what });
const idsAt = async (vendor: Vendor, text: string) =>
  (await service.sandbox.control<SandboxPost[]>('GET', `/posts?network=${vendor}`))
    .filter((post) => post.text === text)
    .map(({ id }) => id);
const connect = (user: TestUser, platform: Vendor, handle: string) =>
  connectSandboxAccount(service.app, service.sandbox.url, user.id, { platform, handle });

async function aPost(user: TestUser, platformId: string, content: string) {
  return (await aGroup(user, platformId, content)).read;
}

async function aGroup(user: TestUser, platformId: string, content: string) {
  const { body } = await user.call('POST', '/create-post', { content, platforms: [platformId], publishNow: true });
  const id: string = body.postGroupId;
  return {
    read: async () => (await user.call('GET', `/get-post/${id}`)).body.posts[0],
    delete: async () => expect(await user.call('DELETE', `/delete-post/${id}`)).toMatchObject({ status: 200 }),
  };
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

describe('a post whose request was cut is not taken for an equal one', () => {
  /** Posts the text again. The request never reaches the network. */
  async function again(user: TestUser, platformId: string, content: string) {
    clock.advance({ seconds: 2 });
    const post = await aPost(user, platformId, content);
    await fault('mastodon', { kind: 'reset_before' });
    await run();
    return post;
  }
  /** The worker dies after it has stored the response of the network. */
  async function publishWithoutEnd() {
    await service.database.pool.query(`create or replace function fail_emitting() returns trigger language plpgsql as $$
      begin raise exception 'The event cannot be stored.'; end $$`);
    await service.database.pool.query(
      'create trigger fail_emitting before insert on events for each row execute function fail_emitting()',
    );
    await expect(run()).rejects.toThrow('The event cannot be stored.');
    await service.database.pool.query('drop trigger fail_emitting on events');
  }
  async function expectSecondId(content: string, second: () => Promise<unknown>, firstId: string) {
    const ids = await idsAt('mastodon', content);
    expect(ids).toEqual([firstId, expect.any(String)]);
    expect(await second()).toMatchObject({ status: 'published', postedId: ids[1] });
  }

  test.for([
    ['before the text was posted again', 'early'],
    ['while its outcome was in doubt', 'late'],
  ] as const)('that was deleted in Crier %s', async ([, when]) => {
    const user = await service.aUser();
    const { platformId } = await connect(user, 'mastodon', `deleted${when}`);
    const text = `Deleted ${when}`;
    const first = await aGroup(user, platformId, text);
    await run();
    const { postedId } = await first.read();
    if (when === 'early') await first.delete();
    const second = await again(user, platformId, text);
    if (when === 'late') await first.delete();
    await later();
    await expectSecondId(text, second, postedId);
  });

  test('that was deleted in Crier before its result was recorded', async () => {
    const user = await service.aUser();
    const { platformId } = await connect(user, 'mastodon', 'deletedmidway');
    const first = await aGroup(user, platformId, 'Deleted midway');
    await publishWithoutEnd();
    const [firstId] = await idsAt('mastodon', 'Deleted midway');
    await first.delete();
    const second = await again(user, platformId, 'Deleted midway');
    await later();
    await expectSecondId('Deleted midway', second, firstId!);
  });

  test('whose account was disconnected and connected again before its result was recorded', async () => {
    const user = await service.aUser();
    const { platformId } = await connect(user, 'mastodon', 'reconnected');
    await aPost(user, platformId, 'Reconnected');
    await publishWithoutEnd();
    const [firstId] = await idsAt('mastodon', 'Reconnected');
    await disconnect(service.app, { userId: user.id }, platformId);
    await connect(user, 'mastodon', 'reconnected');
    const second = await aPost(user, platformId, 'Reconnected');
    await fault('mastodon', { kind: 'reset_before' });
    await runLanes();
    await requestsAreOver(service.app);
    clock.advance({ seconds: 100 });
    await runLanes();
    await expectSecondId('Reconnected', second, firstId!);
  });
});

test('the id of a deleted post is kept for a week, and goes with its user', async () => {
  const { pool } = service.database;
  const kept = async (userId: string) =>
    (await pool.query('select posted_id from deleted_posts where user_id = $1', [userId])).rows.length;
  const users = await Promise.all([service.aUser(), service.aUser()]);
  for (const [index, user] of users.entries()) {
    const { platformId } = await connect(user, 'mastodon', `forgotten${index}`);
    const post = await aGroup(user, platformId, 'Forgotten');
    await run();
    await post.delete();
    const draft = await user.call('POST', '/create-post', { content: 'A draft', platforms: [platformId] });
    await user.call('DELETE', `/delete-post/${draft.body.postGroupId}`);
    await aPost(user, platformId, 'Published');
    await run();
  }
  const [one, other] = users.map(({ id }) => id) as [string, string];
  expect([await kept(one), await kept(other)]).toEqual([1, 1]);
  await pool.query('delete from users where id = $1', [other]);
  await pool.query(`update deleted_posts set deleted_at = now() - interval '6 days' where user_id = $1`, [one]);
  await prune();
  expect([await kept(one), await kept(other)]).toEqual([1, 0]);
  await pool.query(`update deleted_posts set deleted_at = now() - interval '8 days' where user_id = $1`, [one]);
  await prune();
  expect(await kept(one)).toBe(0);
});

const prune = async () => {
  const task = publishingTasks(service.app).find(({ name }) => name === 'prune-deleted-posts');
  await task?.run(new AbortController().signal);
};

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
