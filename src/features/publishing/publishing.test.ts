import { describe, expect, test } from 'vitest';
import { requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import { publishVideo } from '../../../test/support/publishing/video-post.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { whoIs } from '../auth/access/api-key.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { disconnect as disconnectAccount } from '../connections/disconnect.ts';

const { clock, service, ada, run } = publishingStage();

/** A post that is due now, with shortcuts to read it. */
async function aPost(options: { targets?: number; content?: string } = {}) {
  const content = options.content ?? `Post at ${process.hrtime.bigint()}`;
  const platforms: string[] = [];
  for (let i = 0; i < (options.targets ?? 1); i += 1) platforms.push(await ada().aConnection());
  const { body } = await ada().call('POST', '/create-post', { content, platforms, publishNow: true });
  const id: string = body.postGroupId;
  return {
    id,
    platforms,
    read: async () => (await ada().call('GET', `/get-post/${id}`)).body,
    atTheVendor: async () => (await service().sandbox.posts()).filter(({ text }) => text === content),
    logs: async () => {
      const rows = await service().database.pool.query(
        'select event, retry_count, metadata from post_logs where post_group_id = $1 order by created_at, id',
        [id],
      );
      return rows.rows as { event: string; retry_count: number | null; metadata: Record<string, unknown> | null }[];
    },
  };
}

const connection = async (platformId: string) =>
  (
    await service().database.pool.query('select * from connections where account_id = $1', [
      platformId.slice('mastodon-'.length),
    ])
  ).rows[0];

async function disconnect(...platformIds: string[]) {
  for (const platformId of platformIds) await disconnectAccount(service().app, { userId: ada().id }, platformId);
}

test('a post whose text is refused after its files were published shows the files', async () => {
  const account = { platform: 'telegram', handle: 'longtexts' } as const;
  const { app, sandbox } = service();
  const { platformId } = await connectSandboxAccount(app, sandbox.url, ada().id, account);
  const id = await publishVideo(app, await whoIs(app.db, ada().id), platformId, 'a'.repeat(1025));
  await sandbox.control('POST', '/faults', { network: 'telegram', operation: 'comment', kind: 'expired_token' });
  await run();
  const [video] = await sandbox.control<{ id: string }[]>('GET', '/posts?network=telegram');
  const [target] = (await ada().call('GET', `/get-post/${id}`)).body.posts;
  expect(target).toMatchObject({ status: 'failed', postedId: video?.id, error: { code: 'PLATFORM_AUTH_EXPIRED' } });
  expect(target.error.message).toMatch(/^The files of this post were published/);
  expect((await fetch(target.permalink)).status).toBe(200);
});

describe('a post that is due', () => {
  test('is published with its id, a working link and its log', async () => {
    const post = await aPost();
    await run();
    const [found] = await post.atTheVendor();
    const group = await post.read();
    expect(group).toMatchObject({ status: 'published', posts: [{ status: 'published', postedId: found?.id }] });
    expect(group.posts[0]).not.toHaveProperty('error');
    expect((await fetch(group.posts[0].permalink)).status).toBe(200);
    const logs = await post.logs();
    expect(logs.map(({ event }) => event)).toEqual([
      'scheduled',
      'processing',
      'publish_attempted',
      'publish_succeeded',
    ]);
    expect(logs.at(-1)?.metadata).toEqual({ postedId: found?.id });
    expect((await connection(post.platforms[0]!)).last_success_at).toEqual(clock.now());
  });

  test('is not published before its time', async () => {
    const platforms = [await ada().aConnection()];
    const scheduledTime = new Date(clock.now().getTime() + 60_000).toISOString();
    const { body } = await ada().call('POST', '/create-post', { content: 'Not yet', platforms, scheduledTime });
    await run();
    expect((await ada().call('GET', `/get-post/${body.postGroupId}`)).body.status).toBe('scheduled');
    clock.advance({ seconds: 60 });
    await run();
    expect((await ada().call('GET', `/get-post/${body.postGroupId}`)).body.status).toBe('published');
  });

  test('is published in the order of due times if several are due on one connection', async () => {
    const platforms = [await ada().aConnection()];
    const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
    for (const [content, seconds] of [
      ['third', 3],
      ['first', 1],
      ['second', 2],
    ] as const) {
      await ada().call('POST', '/create-post', { content: `order: ${content}`, platforms, scheduledTime: at(seconds) });
    }
    clock.advance({ seconds: 10 });
    await run();
    const texts = (await service().sandbox.posts())
      .map(({ text }) => text)
      .filter((text) => text.startsWith('order: '));
    expect(texts).toEqual(['order: first', 'order: second', 'order: third']);
  });

  test('one of whose connections is gone fails there and is published elsewhere', async () => {
    const post = await aPost({ targets: 2 });
    await disconnect(...post.platforms.slice(0, 1));
    await run();
    expect(await post.read()).toMatchObject({
      status: 'partially_published',
      posts: [
        { status: 'failed', error: { message: expect.stringMatching(/^The account was disconnected/) } },
        { status: 'published' },
      ],
    });
    expect(await post.atTheVendor()).toHaveLength(1);
  });

  test('whose connections are all gone returns to draft, keeps its time, and says so in log and event', async () => {
    const post = await aPost({ targets: 2 });
    await disconnect(...post.platforms);
    await run();
    const group = await post.read();
    expect(group).toMatchObject({
      status: 'draft',
      scheduledTime: expect.any(String),
      posts: [{ status: 'draft' }, { status: 'draft' }],
    });
    expect(await post.atTheVendor()).toEqual([]);
    expect((await post.logs()).at(-1)).toMatchObject({
      event: 'status_changed',
      metadata: { from: 'scheduled', to: 'draft', reason: 'state_mismatch' },
    });
    const { rows } = await service().database.pool.query(
      `select body::json -> 'data' as data from events where type = 'post.demoted'`,
    );
    expect(rows).toEqual([
      {
        data: {
          postGroupId: post.id,
          reason: 'state_mismatch',
          changeType: 'scheduler_state_repair',
          mediaFileId: null,
          errorCode: null,
          demotedAt: clock.now().toISOString(),
        },
      },
    ]);
    const used = await service().database.pool.query(
      'select sum(used)::int as used from usage_counters where connection = any($1)',
      [post.platforms],
    );
    expect(used.rows[0].used).toBe(0);
  });

  test('that was deleted is not published', async () => {
    const post = await aPost();
    await ada().call('DELETE', `/delete-post/${post.id}`);
    await run();
    expect(await post.atTheVendor()).toEqual([]);
  });
});

describe('the group’s status follows its targets', () => {
  test('all published: published', async () => {
    const post = await aPost({ targets: 3 });
    await run();
    expect((await post.read()).status).toBe('published');
    expect(await post.atTheVendor()).toHaveLength(3);
  });

  test('some failed: partially_published', async () => {
    const post = await aPost({ targets: 2 });
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 422 });
    await run();
    const group = await post.read();
    expect(group.status).toBe('partially_published');
    expect(group.posts.map(({ status }: { status: string }) => status).sort()).toEqual(['failed', 'published']);
  });

  test('all failed: failed', async () => {
    const post = await aPost({ targets: 2 });
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: 2 });
    await run();
    expect((await post.read()).status).toBe('failed');
  });
});

test('deleting a user deletes the logs, steps and events, too', async () => {
  const { pool } = service().database;
  const bob = await service().aUser();
  const platforms = [await bob.aConnection()];
  const { body } = await bob.call('POST', '/create-post', { content: 'Soon gone', platforms, publishNow: true });
  await run();
  const count = async () => {
    const { rows } = await pool.query(
      `select (select count(*)::int from post_logs where post_group_id = $1) as logs,
        (select count(*)::int from publish_steps where platform_post_id = any ($2)) as steps,
        (select count(*)::int from events where user_id = $3) as events`,
      [body.postGroupId, targets, bob.id],
    );
    return rows[0];
  };
  const { rows } = await pool.query('select id from platform_posts where post_group_id = $1', [body.postGroupId]);
  const targets = rows.map(({ id }) => id);
  const before = await count();
  expect([before.logs, before.steps, before.events].every((rows) => rows > 0)).toBe(true);
  await pool.query('delete from users where id = $1', [bob.id]);
  expect(await count()).toEqual({ logs: 0, steps: 0, events: 0 });
});

describe('the failure table', () => {
  test('rejected: fails immediately as INVALID_CONTENT with the platform’s own reason', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 422 });
    await run();
    const [target] = (await post.read()).posts;
    expect(target).toMatchObject({
      status: 'failed',
      postedId: null,
      error: {
        code: 'INVALID_CONTENT',
        platformStatusCode: 422,
        platformError: expect.stringMatching(/./),
        failedAt: clock.now().toISOString(),
        retryable: false,
      },
    });
    const last = (await post.logs()).at(-1);
    expect(last).toMatchObject({
      event: 'publish_failed',
      metadata: { errorCode: 'INVALID_CONTENT', retryable: false },
    });
  });

  test('auth: fails immediately as PLATFORM_AUTH_EXPIRED and flags the connection', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'expired_token', operation: 'publish' });
    await run();
    expect((await post.read()).posts[0].error).toMatchObject({ code: 'PLATFORM_AUTH_EXPIRED', retryable: false });
    expect(await connection(post.platforms[0]!)).toMatchObject({
      reconnect_required_at: clock.now(),
      last_error: { message: expect.any(String), occurredAt: clock.now().toISOString() },
    });
  });

  test('rate_limited: waits for the platform’s reset, cools the connection down, and does not count as an attempt', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 120 });
    await run();
    expect((await post.read()).posts[0].status).toBe('pending');
    const { cool_down_until: until } = await connection(post.platforms[0]!);
    expect((until.getTime() - clock.now().getTime()) / 1000).toBeCloseTo(120, -1);

    const next = await ada().call('POST', '/create-post', {
      content: 'behind it',
      platforms: post.platforms,
      publishNow: true,
    });
    await run();
    expect((await ada().call('GET', `/get-post/${next.body.postGroupId}`)).body.posts[0].status).toBe('pending');

    clock.advance({ seconds: 130 });
    await run();
    expect((await post.read()).status).toBe('published');
    expect((await post.logs()).find(({ event }) => event === 'publish_retry')?.retry_count).toBe(0);
  });

  test('rate_limited: gives up after six hours', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 3600, times: 20 });
    for (let hour = 0; hour < 8; hour += 1) {
      await run();
      clock.advance({ seconds: 3610 });
    }
    expect((await post.read()).posts[0]).toMatchObject({
      status: 'failed',
      error: { code: 'RATE_LIMITED', retryable: true },
    });
    expect(await post.atTheVendor()).toEqual([]);
  });

  test('unavailable: retried after 30 s, 2 min and 10 min, then fails as PLATFORM_SERVER_ERROR', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 503, times: 10 });
    const tries = async () => (await post.logs()).filter(({ event }) => event === 'publish_attempted').length;
    for (const [wait, expected] of [
      [0, 1],
      [29, 1],
      [1, 2],
      [119, 2],
      [1, 3],
      [599, 3],
      [1, 4],
    ] as const) {
      clock.advance({ seconds: wait });
      await run();
      expect(await tries()).toBe(expected);
    }
    expect((await post.read()).posts[0]).toMatchObject({
      status: 'failed',
      error: { code: 'PLATFORM_SERVER_ERROR', platformStatusCode: 503, retryable: true },
    });
  });

  test('a connection lost before the post was accepted: retried, published once', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'reset_before', operation: 'publish' });
    await run();
    expect((await post.read()).posts[0].status).toBe('pending');
    clock.advance({ seconds: 30 });
    await requestsAreOver(service().app);
    await run();
    expect((await post.read()).status).toBe('published');
    expect(await post.atTheVendor()).toHaveLength(1);
  });

  test('a connection lost after the post was accepted: found, not repeated', async () => {
    const post = await aPost();
    await service().sandbox.fault({ kind: 'reset_after', operation: 'publish' });
    await run();
    clock.advance({ seconds: 30 });
    await run();
    const found = await post.atTheVendor();
    expect(found).toHaveLength(1);
    expect((await post.read()).posts[0]).toMatchObject({ status: 'published', postedId: found[0]?.id });
  });

  test('credentials that cannot be opened: fails as PLATFORM_AUTH_EXPIRED and sends nothing', async () => {
    const post = await aPost();
    await service().database.pool.query(
      "update connections set credentials = 'v1.00000000.a.b.c' where account_id = $1",
      [post.platforms[0]!.slice('mastodon-'.length)],
    );
    await run();
    expect((await post.read()).posts[0].error).toMatchObject({ code: 'PLATFORM_AUTH_EXPIRED' });
    expect(await post.atTheVendor()).toEqual([]);
  });
});
