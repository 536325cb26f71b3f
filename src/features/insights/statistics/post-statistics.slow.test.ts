import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { type PublishedPost, statisticsStage } from '../../../../test/support/stages/statistics.ts';
import { postStatistics } from './post-statistics.ts';

const { clock, service, connect, publish, fault, changeAccount, act, asked } = statisticsStage();
let ada: TestUser;
beforeAll(async () => {
  ada = await service().aUser();
});

const ask = (posts: unknown, user = ada) => user.call('POST', '/post-statistics', { posts });
const zero = {
  reactions: 0,
  comments: 0,
  reposts: 0,
  quotes: 0,
  saves: null,
  impressions: null,
  reach: null,
  clicks: null,
};
const one = { platform: 'mastodon', platformId: '1@mastodon.social', postedId: '1' };
const twoHours = 2 * 3600;

const batch = 'mastodon /api/v1/statuses';
const single = ({ postedId }: PublishedPost) => `mastodon /api/v1/statuses/${postedId}`;
const getPosts = 'bluesky /xrpc/app.bsky.feed.getPosts';

describe('[post-statistics.fields] the request', () => {
  const required = 'posts array is required';
  const invalid = 'Each post must have string platform, platformId and postedId';
  test.for<[body: unknown, error: string]>([
    [{}, required],
    [undefined, required],
    [[one], required],
    [{ posts: null }, required],
    [{ posts: 'all' }, required],
    [{ posts: { 0: one } }, required],
    [{ posts: [] }, required],
    [{ posts: Array(51).fill(one) }, 'Maximum 50 posts per request'],
    [{ posts: Array(51).fill(null) }, 'Maximum 50 posts per request'],
    [{ posts: [null] }, invalid],
    [{ posts: ['1'] }, invalid],
    [{ posts: [one, {}] }, invalid],
    [{ posts: [{ ...one, platform: 1 }] }, invalid],
    [{ posts: [{ ...one, platformId: '' }] }, invalid],
    [{ posts: [{ ...one, postedId: null }] }, invalid],
    [
      { posts: [{ ...one, postedId: '1'.repeat(513) }] },
      'platform, platformId and postedId must be at most 512 characters long',
    ],
    [{ posts: [{ ...one, platform: 'x' }] }, 'Unsupported platform "x". Supported: mastodon, bluesky'],
    [{ posts: [{ ...one, platform: 'linkedin' }] }, 'Unsupported platform "linkedin". Supported: mastodon, bluesky'],
  ])('%j is refused: %s', async ([body, error]) => {
    const { status, body: answer } = await ada.call('POST', '/post-statistics', body);
    expect([status, answer]).toEqual([400, { error }]);
  });

  test('50 posts with texts of 512 characters are within the limits', async () => {
    const { status } = await ask(Array(50).fill({ ...one, postedId: '1'.repeat(512) }));
    expect(status).toBe(200);
  });

  test('[post-statistics.plan] a plan without analytics is refused before the body is checked', async () => {
    const starter = await service().aUser({ plan: 'starter' });
    const { status, body } = await ask([one], starter);
    expect([status, body]).toEqual([
      403,
      { error: 'Analytics requires a Pro or Premium plan', code: 'ANALYTICS_PLAN_REQUIRED' },
    ]);
    expect((await ask([], starter)).body.code).toBe('ANALYTICS_PLAN_REQUIRED');
  });
});

describe('[post-statistics.response] the answer', () => {
  test('has every metric of both platforms, null where they report none', async () => {
    const [mastodon, bluesky, fan] = [
      await connect(ada, 'mastodon'),
      await connect(ada, 'bluesky'),
      { mastodon: 'fan', bluesky: 'fan.bsky.social' },
    ];
    const [status, record] = await publish(ada, mastodon.platformId, bluesky.platformId);
    for (const action of ['favourite', 'reblog']) {
      await act('mastodon', fan.mastodon, ({ instance }) => [
        `https://${instance}/api/v1/statuses/${status!.postedId}/${action}`,
        { method: 'POST' },
      ]);
    }
    await act('bluesky', fan.bluesky, ({ pds }) => [
      `${pds}/xrpc/app.bsky.bookmark.createBookmark`,
      {
        method: 'POST',
        body: JSON.stringify({
          uri: record!.postedId,
          cid: 'bafyreihmh6lpqcmyus4kt4rsypvxgvnvzkmj4aqczyewol5rsf7pdzzta4',
        }),
      },
    ]);
    const { status: code, body } = await ask([status, record]);
    expect([code, body]).toEqual([
      200,
      {
        success: true,
        stats: {
          [status!.postedId]: { ...zero, reactions: 1, reposts: 1 },
          [record!.postedId]: { ...zero, saves: 1 },
        },
      },
    ]);
  });

  test('accepts the connection with or without its prefix', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    const [post] = await publish(ada, platformId);
    for (const name of [platformId, platformId.replace('mastodon-', '')]) {
      const { body } = await ask([{ ...post, platformId: name }]);
      expect(body).toEqual({ success: true, stats: { [post!.postedId]: zero } });
    }
  });

  test('has null for a deleted post, and caches that', async () => {
    const { platformId, handle } = await connect(ada, 'mastodon');
    const [post] = await publish(ada, platformId);
    await act('mastodon', handle, ({ instance }) => [
      `https://${instance}/api/v1/statuses/${post!.postedId}`,
      { method: 'DELETE' },
    ]);
    const calls = await asked(async () => {
      for (const _ of [1, 2])
        expect((await ask([post])).body).toEqual({ success: true, stats: { [post!.postedId]: null } });
    });
    expect(calls).toEqual([single(post!)]);
  });

  test('has null for a post that the caller did not publish here, without asking a platform', async () => {
    const eve = await service().aUser();
    const hers = await connect(ada, 'mastodon');
    const [post] = await publish(ada, hers.platformId);
    // Eve is connected to the same account but did not publish the post, neither there nor on her other account.
    await connect(eve, 'mastodon', hers.handle);
    const other = await connect(ada, 'mastodon');
    const calls = await asked(async () => {
      expect((await ask([post], eve)).body).toEqual({ success: true, stats: { [post!.postedId]: null } });
      const elsewhere = { ...post, platformId: other.platformId };
      expect((await ask([elsewhere, { ...post, postedId: '1' }])).body).toEqual({
        success: true,
        stats: { [post!.postedId]: null, 1: null },
      });
    });
    expect(calls).toEqual([]);
  });

  test('has only the first post of a thread, and not the comments', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    const firstComment = { text: 'First!' };
    const made = await ada.call('POST', '/create-post', {
      content: 'With a comment',
      platforms: [platformId],
      publishNow: true,
      firstComment,
    });
    await publishDue(service().app);
    clock.advance({ seconds: 60 });
    await publishDue(service().app);
    const { body } = await ada.call('GET', `/get-post/${made.body.postGroupId}`);
    const [{ postedId }] = body.posts;
    const comment = (await service().sandbox.posts()).find(({ inReplyTo }) => inReplyTo === postedId);
    const { stats } = (await ask([postedId, comment!.id].map((id) => ({ ...one, platformId, postedId: id })))).body;
    expect(stats).toEqual({ [postedId]: { ...zero, comments: 1 }, [comment!.id]: null });
  });

  test('[post-statistics.failed] an internal error is not an issue of a connection', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    const [post] = await publish(ada, platformId);
    const { pool } = service().database;
    await pool.query('alter table statistics_cache rename to lost');
    const { status, body } = await ask([post]).finally(() => pool.query('alter table lost rename to statistics_cache'));
    expect([status, body]).toEqual([500, { error: 'Failed to fetch post statistics' }]);
  });
});

describe('[post-statistics.issues] issues', () => {
  let [good, bad]: PublishedPost[] = [];
  let handle = '';
  beforeEach(async () => {
    const [fine, troubled] = [await connect(ada, 'bluesky'), await connect(ada, 'mastodon')];
    [good, bad] = await publish(ada, fine.platformId, troubled.platformId);
    handle = troubled.handle;
  });
  const partial = (issue: string, more = {}) => ({
    success: true,
    stats: { [good!.postedId]: { ...zero, saves: 0 }, [bad!.postedId]: null },
    ...more,
    issues: { [`mastodon-${bad!.platformId}`]: issue },
  });

  test('an unknown connection is CONNECTION_NOT_FOUND; the others are answered', async () => {
    await service().database.pool.query('delete from connections where account_id = $1', [bad!.platformId]);
    expect((await ask([good, bad])).body).toEqual(partial('CONNECTION_NOT_FOUND'));
  });

  test('a connection of another user is CONNECTION_NOT_FOUND', async () => {
    const eve = await service().aUser();
    const nobody = { ...bad!, platformId: '1@nowhere.example' };
    for (const post of [bad!, nobody]) {
      expect((await ask([post], eve)).body).toEqual({
        success: true,
        stats: { [post.postedId]: null },
        issues: { [`mastodon-${post.platformId}`]: 'CONNECTION_NOT_FOUND' },
      });
    }
  });

  test('[post-statistics.issues] credentials that the platform refuses are AUTH_REVOKED, and the account has to be connected again', async () => {
    await changeAccount('mastodon', handle, { revokeTokens: true });
    expect((await ask([good, bad])).body).toEqual(partial('AUTH_REVOKED'));
    const { connections } = (await ada.call('GET', '/platform-connections')).body;
    expect(connections).toContainEqual(
      expect.objectContaining({
        platformId: `mastodon-${bad!.platformId}`,
        connectionStatus: 'reconnect_required',
        lastError: { message: expect.stringMatching(/\S/), occurredAt: expect.any(String) },
      }),
    );
  });

  test('a request that the platform forbids is FORBIDDEN', async () => {
    await fault('mastodon', { operation: 'stats', kind: 'status', status: 403 });
    expect((await ask([good, bad])).body).toEqual(partial('FORBIDDEN'));
  });

  test('a failure of the platform is FETCH_FAILED and is not cached', async () => {
    await fault('mastodon', { operation: 'stats', kind: 'status', status: 503 });
    expect((await ask([good, bad])).body).toEqual(partial('FETCH_FAILED'));
    expect((await ask([good, bad])).body.stats[bad!.postedId]).toEqual(zero);
  });

  test('a rate limit of the platform is RATE_LIMITED', async () => {
    await fault('mastodon', { operation: 'stats', kind: 'rate_limit' });
    expect((await ask([good, bad])).body).toEqual(partial('RATE_LIMITED', { rateLimited: true }));
  });
});

describe('[post-statistics.cache] the cache', () => {
  test('answers for two hours, also other users of the same account', async () => {
    const { platformId, handle } = await connect(ada, 'mastodon');
    const eve = await service().aUser();
    const [post] = await publish(ada, platformId);
    await connect(eve, 'mastodon', handle);
    // Simulates both users having published the post.
    await service().database.pool.query(
      `insert into post_groups (id, user_id, content, status, target_count, open_targets)
        values ($1, $2, 'The same', 'published', 1, 0)`,
      ['e'.repeat(24), eve.id],
    );
    await service().database.pool.query(
      `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, posted_id)
        values ($1, $1, $2, 'mastodon', $3, 0, 'The same', 'published', $4)`,
      ['e'.repeat(24), eve.id, post!.platformId, post!.postedId],
    );
    const calls = await asked(async () => {
      await ask([post]);
      clock.advance({ seconds: twoHours - 1 });
      expect((await ask([post], eve)).body).toEqual({ success: true, stats: { [post!.postedId]: zero } });
    });
    expect(calls).toEqual([single(post!)]);
    clock.advance({ seconds: 2 });
    expect(await asked(() => ask([post], eve))).toEqual([single(post!)]);
  });

  test('200 concurrent requests for the same statistics make one call', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    const posts = [...(await publish(ada, platformId)), ...(await publish(ada, platformId))];
    const calls = await asked(async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, () => ask(posts)));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(answers[0]!.body.stats).toEqual(Object.fromEntries(posts.map(({ postedId }) => [postedId, zero])));
    });
    expect(calls).toEqual([batch]);
  });
});

describe('[post-statistics.cache] as few calls as the platforms allow', () => {
  let mastodon: PublishedPost[][];
  let bluesky: PublishedPost[][];
  beforeAll(async () => {
    const connections = await Promise.all([
      ...Array.from({ length: 3 }, () => connect(ada, 'mastodon')),
      ...Array.from({ length: 5 }, () => connect(ada, 'bluesky')),
    ]);
    const groups: PublishedPost[][] = [];
    for (let count = 1; count <= 10; count += 1) {
      groups.push(await publish(ada, ...connections.map(({ platformId }) => platformId)));
    }
    const byConnection = connections.map((_, place) => groups.map((group) => group[place]!));
    [mastodon, bluesky] = [byConnection.slice(0, 3), byConnection.slice(3)];
  });

  const counted = async (posts: PublishedPost[]) => {
    await service().database.pool.query('delete from statistics_cache');
    return asked(async () => {
      const { body } = await ask(posts);
      expect(Object.values(body.stats).filter((metrics) => metrics === null)).toEqual([]);
      expect(Object.keys(body.stats)).toHaveLength(posts.length);
    });
  };

  test('50 posts on three Mastodon and two Bluesky connections take four calls: one per Mastodon connection, one for Bluesky', async () => {
    const posts = [...mastodon, ...bluesky.slice(0, 2)].flat();
    expect(posts).toHaveLength(50);
    expect((await counted(posts)).sort()).toEqual([getPosts, batch, batch, batch]);
  });

  test('50 posts on five Bluesky connections take two calls of 25 posts', async () => {
    const posts = bluesky.flat();
    expect(posts).toHaveLength(50);
    expect(await counted(posts)).toEqual([getPosts, getPosts]);
  });

  test('only posts that are not cached are requested', async () => {
    await counted(mastodon[0]!.slice(0, 9));
    expect(await asked(() => ask(mastodon[0]))).toEqual([single(mastodon[0]![9]!)]);
  });
});

describe('[post-statistics.cooldown] the cooldown after a rate limit', () => {
  const limited = (...posts: PublishedPost[]) => ({
    rateLimited: true,
    issues: Object.fromEntries(posts.map(({ platform, platformId }) => [`${platform}-${platformId}`, 'RATE_LIMITED'])),
  });

  test('is for one Mastodon connection until the time it named; cached values are still returned', async () => {
    const [tired, awake] = [await connect(ada, 'mastodon'), await connect(ada, 'mastodon')];
    const [known, other] = await publish(ada, tired.platformId, awake.platformId);
    const [fresh] = await publish(ada, tired.platformId);
    await ask([known]);
    await fault('mastodon', { operation: 'stats', kind: 'rate_limit', retryAfterSeconds: 120 });
    expect((await ask([fresh])).body).toMatchObject(limited(fresh!));
    clock.advance({ seconds: 118 });
    const calls = await asked(async () => {
      const { body } = await ask([known, fresh, other]);
      expect(body).toEqual({
        success: true,
        stats: { [known!.postedId]: zero, [fresh!.postedId]: null, [other!.postedId]: zero },
        ...limited(fresh!),
      });
    });
    expect(calls).toEqual([single(other!)]);
    clock.advance({ seconds: 3 });
    expect((await ask([fresh])).body).toEqual({ success: true, stats: { [fresh!.postedId]: zero } });
  });

  test('is for all Bluesky connections of all users', async () => {
    const eve = await service().aUser();
    const [first, second] = [await connect(ada, 'bluesky'), await connect(eve, 'bluesky')];
    const [[hers], [his]] = [await publish(ada, first.platformId), await publish(eve, second.platformId)];
    await fault('bluesky', { operation: 'stats', kind: 'rate_limit', retryAfterSeconds: 120 });
    await ask([hers]);
    const calls = await asked(async () => expect((await ask([his], eve)).body).toMatchObject(limited(his!)));
    expect(calls).toEqual([]);
    clock.advance({ seconds: 121 });
    expect((await ask([his], eve)).body).toEqual({ success: true, stats: { [his!.postedId]: { ...zero, saves: 0 } } });
  });

  test('lasts at most an hour', async () => {
    const { platformId } = await connect(ada, 'bluesky');
    const [post] = await publish(ada, platformId);
    await fault('bluesky', { operation: 'stats', kind: 'rate_limit', retryAfterSeconds: 4 * 3600 });
    await ask([post]);
    clock.advance({ seconds: 3599 });
    expect((await ask([post])).body).toMatchObject({ rateLimited: true });
    clock.advance({ seconds: 2 });
    expect((await ask([post])).body).not.toHaveProperty('rateLimited');
  });
});

test('[post-statistics.timeout] a request that takes longer than its time budget ends with 504 and does not delay the next one', async () => {
  const { platformId } = await connect(ada, 'mastodon');
  const [post] = await publish(ada, platformId);
  await fault('mastodon', { operation: 'stats', kind: 'latency', latencyMs: 5000 });
  const who = { userId: ada.id };
  const late = postStatistics(service().app, who, { posts: [post!] }, 200);
  await expect(late).rejects.toMatchObject({
    status: 504,
    body: { error: 'Analytics request timed out', code: 'ANALYTICS_REQUEST_TIMEOUT' },
  });
  await expect.poll(async () => (await ask([post])).body.stats).toEqual({ [post!.postedId]: zero });
});
