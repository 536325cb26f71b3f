import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { publishDue, requestsAreOver } from '../../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../../test/support/servers/sandbox.ts';
import { type TestClock, testApp, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  clock = testClock('2027-03-04T05:06:07.000Z');
  service = await testService({ clock });
  ada = await service.aUser();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());

const run = () => publishDue(service.app);
const query = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
type Vendor = 'mastodon' | 'telegram';
const fault = (what: SandboxFault, vendor: Vendor = 'mastodon') =>
  service.sandbox.control('POST', '/faults', { network: vendor, operation: 'publish', ...what });
let posts = 0;

async function aDuePost({ user = ada, vendors = ['mastodon'] as Vendor[], content = '' } = {}) {
  posts += 1;
  const text = content || `Post ${posts}`;
  const platforms: string[] = [];
  for (const platform of vendors) {
    const account = { platform, handle: `retrier${posts}${platform}` };
    platforms.push((await connectSandboxAccount(service.app, service.sandbox.url, user.id, account)).platformId);
  }
  const { body } = await user.call('POST', '/create-post', { content: text, platforms, publishNow: true });
  const id: string = body.postGroupId;
  const group = async () => (await user.call('GET', `/get-post/${id}`)).body;
  return {
    id,
    platforms,
    group,
    target: async () => (await group()).posts[0],
    retry: (headers: Record<string, string> = {}) => user.call('POST', `/retry-post/${id}`, undefined, headers),
    events: async (): Promise<string[]> =>
      (await user.call('GET', `/post-logs/${id}`)).body.logs.map(({ event }: { event: string }) => event),
    webhookEvents: async () =>
      (await query('select type from events where post_group_id = $1 order by created_at, id', [id])).rows.map(
        ({ type }) => type,
      ),
    atTheVendor: async (vendor: Vendor = 'mastodon') =>
      (await service.sandbox.control<SandboxPost[]>('GET', `/posts?network=${vendor}`)).filter(
        (post) => post.text === text,
      ).length,
  };
}

/** Four attempts while the network is down. */
async function failForNow() {
  await fault({ kind: 'status', status: 503, times: 100 });
  for (const seconds of [0, 31, 121, 601]) {
    clock.advance({ seconds });
    await run();
  }
  await service.sandbox.clearFaults();
}

describe('retry-post', () => {
  test('a post that failed for a passing reason is published once', async () => {
    const post = await aDuePost();
    await failForNow();
    expect(await post.group()).toMatchObject({
      status: 'failed',
      posts: [{ status: 'failed', error: { code: 'PLATFORM_SERVER_ERROR', retryable: true } }],
    });
    const { status, body } = await post.retry();
    const { _id } = await post.target();
    const name = { _id, platform: 'mastodon', platformId: post.platforms[0] };
    expect([status, body]).toEqual([200, { success: true, postGroupId: post.id, retried: [name], notRetried: [] }]);
    expect(await post.group()).toMatchObject({
      status: 'scheduled',
      posts: [{ status: 'pending', retry: { error: { code: 'PLATFORM_SERVER_ERROR' } } }],
    });
    await run();
    expect(await post.group()).toMatchObject({ status: 'published', posts: [{ status: 'published', _id }] });
    expect((await post.target()).error).toBeUndefined();
    expect(await post.atTheVendor()).toBe(1);
    expect((await post.events()).slice(-4)).toEqual([
      'retry_requested',
      'processing',
      'publish_attempted',
      'publish_succeeded',
    ]);
    expect(await post.webhookEvents()).toEqual(['post.failed', 'post.published']);
  });

  test('only the targets that failed run again', async () => {
    const post = await aDuePost({ vendors: ['mastodon', 'telegram'] });
    // Longer than Crier is willing to wait.
    await fault({ kind: 'rate_limit', retryAfterSeconds: 7 * 3600 }, 'telegram');
    await run();
    expect((await post.group()).status).toBe('partially_published');
    const { body } = await post.retry();
    expect(body.retried).toMatchObject([{ platform: 'telegram' }]);
    expect(body.notRetried).toMatchObject([{ platform: 'mastodon', reason: 'published' }]);
    await run();
    expect((await post.group()).status).toBe('published');
    expect([await post.atTheVendor('mastodon'), await post.atTheVendor('telegram')]).toEqual([1, 1]);
  });

  test('it has all the retries of a new post, and can be asked for again', async () => {
    const post = await aDuePost();
    await failForNow();
    await post.retry();
    await failForNow();
    expect((await post.target()).status).toBe('failed');
    expect((await post.events()).filter((event) => event === 'publish_retry')).toHaveLength(6);
    await post.retry();
    await run();
    expect([(await post.target()).status, await post.atTheVendor()]).toEqual(['published', 1]);
  });

  test('a step that was done stays done', async () => {
    const post = await aDuePost({ content: 'Kept one\n---\nKept two' });
    await failForNow();
    // Simulates an upload that succeeded in an earlier attempt.
    const { _id } = await post.target();
    await query(
      `insert into publish_steps (platform_post_id, name, started_at, ended_at, result) values ($1, 'upload', now(), now(), '{}')`,
      [_id],
    );
    await post.retry();
    expect((await post.target()).threadParts.map(({ status }: { status: string }) => status)).not.toContain('failed');
    const { rows } = await query(`select ended_at from publish_steps where platform_post_id = $1`, [_id]);
    expect(rows).toHaveLength(1);
    await run();
    expect((await post.group()).status).toBe('published');
  });

  test('two concurrent calls: one attempt, and both calls succeed', async () => {
    const post = await aDuePost();
    await failForNow();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post.retry()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.retried.length === 1)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.notRetried[0]?.reason === 'running')).toHaveLength(7);
    const { rows } = await query('select open_targets from post_groups where id = $1', [post.id]);
    expect(rows).toEqual([{ open_targets: 1 }]);
    await run();
    expect([(await post.group()).status, await post.atTheVendor()]).toEqual(['published', 1]);
    expect((await post.events()).filter((event) => event === 'retry_requested')).toHaveLength(1);
  });

  test('an Idempotency-Key gives the first answer again, also when the post is published', async () => {
    const post = await aDuePost();
    await failForNow();
    const first = await post.retry({ 'idempotency-key': 'again' });
    await run();
    const second = await post.retry({ 'idempotency-key': 'again' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await post.atTheVendor()).toBe(1);
  });

  test('a worker that dies in the middle leaves it to another, which publishes nothing twice', async () => {
    const post = await aDuePost();
    await failForNow();
    await post.retry();
    const dying = await testApp({ database: service.database, sandboxUrl: service.sandbox.url, clock });
    await fault({ kind: 'latency', latencyMs: 500 });
    const publishing = publishDue(dying.app, 'dying').catch(() => 'died');
    await eventually(async () => expect((await post.target()).status).toBe('processing'));
    await eventually(async () => {
      const { rows } = await query(`select 1 from publish_steps where platform_post_id = $1`, [
        (await post.target())._id,
      ]);
      expect(rows).not.toEqual([]);
    });
    await dying.close();
    await publishing;
    await query(`update workers set seen_at = now() - interval '1 hour' where id = 'dying'`);
    await eventually(async () => expect(await post.atTheVendor()).toBe(1));
    await requestsAreOver(service.app);
    await run();
    expect([(await post.group()).status, await post.atTheVendor()]).toEqual(['published', 1]);
  });
});

describe('[states.ended] a post that failed because its account had to be reconnected', () => {
  const listed = async (id: string) => {
    const { posts } = (await ada.call('GET', '/list-posts?fields=compact&status=failed&limit=100')).body;
    return posts.find(({ postGroupId }: { postGroupId: string }) => postGroupId === id).platforms[0];
  };
  const failWithoutAccess = async () => {
    const post = await aDuePost();
    await fault({ kind: 'expired_token', times: 2 });
    await run();
    await service.sandbox.clearFaults();
    expect((await post.target()).error).toMatchObject({ code: 'PLATFORM_AUTH_EXPIRED', retryable: false });
    return post;
  };

  test('is refused until then', async () => {
    const post = await failWithoutAccess();
    const { status, body } = await post.retry();
    expect([status, body.code]).toEqual([409, 'POST_NOT_RETRYABLE']);
    expect(body.notRetried[0].message).toMatch(/reconnect it and retry/);
    expect(await listed(post.id)).not.toHaveProperty('retryable');
  });

  test('is published once after the account is reconnected', async () => {
    const post = await failWithoutAccess();
    const handle = `retrier${posts}mastodon`;
    await connectSandboxAccount(service.app, service.sandbox.url, ada.id, { platform: 'mastodon', handle });
    expect(await listed(post.id)).toMatchObject({ status: 'failed', retryable: true });
    expect((await post.retry()).body).toMatchObject({ retried: [{ platform: 'mastodon' }], notRetried: [] });
    await run();
    expect([(await post.target()).status, await post.atTheVendor()]).toEqual(['published', 1]);
  });

  test('is refused if the account was disconnected', async () => {
    const post = await failWithoutAccess();
    await query('delete from connections where user_id = $1 and account_id = $2', [
      ada.id,
      post.platforms[0]!.slice('mastodon-'.length),
    ]);
    expect((await post.retry()).body.code).toBe('POST_NOT_RETRYABLE');
  });
});

describe('retry-post refuses', () => {
  test('a post that failed for good', async () => {
    const post = await aDuePost();
    await fault({ kind: 'status', status: 422, times: 100 });
    await run();
    expect((await post.target()).error.retryable).toBe(false);
    const { status, body } = await post.retry();
    expect([status, body.code, body.notRetried[0].reason]).toEqual([409, 'POST_NOT_RETRYABLE', 'not_retryable']);
    await service.sandbox.clearFaults();
    await run();
    expect([(await post.group()).status, await post.atTheVendor()]).toEqual(['failed', 0]);
  });

  test('an unknown outcome, and says what to do', async () => {
    const post = await aDuePost({ vendors: ['telegram'] });
    await fault({ kind: 'reset_after' }, 'telegram');
    await run();
    expect((await post.target()).error.code).toBe('PUBLISH_OUTCOME_UNKNOWN');
    const { status, body } = await post.retry();
    expect([status, body.code]).toEqual([409, 'PUBLISH_OUTCOME_UNKNOWN']);
    expect(body.notRetried[0]).toMatchObject({
      reason: 'outcome_unknown',
      message: expect.stringContaining('Check the account'),
    });
    await run();
    expect(await post.atTheVendor('telegram')).toBe(1);
  });

  test('a target with an open step, whatever its error says', async () => {
    const post = await aDuePost();
    await failForNow();
    const { _id } = await post.target();
    await query(`insert into publish_steps (platform_post_id, name, started_at) values ($1, 'publish', now())`, [_id]);
    expect((await post.retry()).body.code).toBe('PUBLISH_OUTCOME_UNKNOWN');
  });

  test('a post that has not failed', async () => {
    const post = await aDuePost();
    await run();
    expect((await post.retry()).body).toMatchObject({ code: 'POST_NOT_FAILED', notRetried: [{ reason: 'published' }] });
    const { body } = await ada.call('POST', '/create-post', { content: 'Draft', platforms: post.platforms });
    const draft = await ada.call('POST', `/retry-post/${body.postGroupId}`);
    expect([draft.status, draft.body.code]).toEqual([409, 'POST_NOT_FAILED']);
  });

  test('a post whose account was disconnected', async () => {
    const post = await aDuePost();
    await failForNow();
    await query('delete from connections where user_id = $1 and platform || $2 || account_id = $3', [
      ada.id,
      '-',
      post.platforms[0],
    ]);
    expect((await post.retry()).body.code).toBe('CONNECTION_GONE');
  });

  test("another user's post, and an id that is none", async () => {
    const post = await aDuePost();
    await failForNow();
    const ben = await service.aUser();
    expect((await ben.call('POST', `/retry-post/${post.id}`)).status).toBe(404);
    expect((await ada.call('POST', '/retry-post/nonsense')).status).toBe(400);
    expect((await post.target()).status).toBe('failed');
  });
});

describe('the limits of a plan', () => {
  const used = async (user: TestUser) =>
    (await query('select period, used from usage_counters where owner_id = $1 and used > 0', [user.id])).rows;

  test('in the same month the post is not counted again', async () => {
    const user = await service.aUser();
    const post = await aDuePost({ user });
    await failForNow();
    await post.retry();
    expect(await used(user)).toEqual([{ period: '2027-03-01', used: 1 }]);
    await run();
  });

  test('in a later month it counts there, and a month that is full refuses it', async () => {
    const user = await service.aUser({ plan: 'starter' });
    const [first, second] = [await aDuePost({ user }), await aDuePost({ user })];
    await failForNow();
    clock.advance({ seconds: 40 * 86_400 });
    expect((await first.retry()).status).toBe(200);
    expect(await used(user)).toContainEqual({ period: '2027-04-01', used: 1 });
    await run();
    await query('update usage_counters set used = 100000 where owner_id = $1 and period = $2', [user.id, '2027-04-01']);
    const refused = await second.retry();
    expect([refused.status, refused.body.code]).toEqual([403, 'POST_LIMIT_REACHED']);
    expect((await second.target()).status).toBe('failed');
  });
});
