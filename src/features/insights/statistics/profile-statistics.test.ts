import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { type CountingVendor, statisticsStage } from '../../../../test/support/stages/statistics.ts';
import { profileStatistics } from './profile-statistics.ts';

const { clock, service, connect, publish, fault, changeAccount, act, asked } = statisticsStage();
let ada: TestUser;
beforeAll(async () => {
  ada = await service().aUser();
});
beforeEach(() => service().database.pool.query('delete from statistics_cache'));

const ask = (platform: string, platformId: string, user = ada) =>
  user.call('POST', '/profile-statistics', { platform, platformId });
const verify = 'mastodon /api/v1/accounts/verify_credentials';
const getProfile = 'bluesky /xrpc/app.bsky.actor.getProfile';
const nothing = { success: true, profile: null, cached: false, fetchedAt: null };
const empty = { followers: 0, following: 0, posts: 0 };

describe('[profile-statistics.fields] the request', () => {
  const required = 'platform and platformId are required';
  test.for<[body: unknown, error: string]>([
    [{}, required],
    [undefined, required],
    [['mastodon', '1'], required],
    [{ platform: 'mastodon' }, required],
    [{ platformId: '1' }, required],
    [{ platform: 'mastodon', platformId: 1 }, required],
    [{ platform: '', platformId: '1' }, required],
    [{ platform: 'mastodon', platformId: null }, required],
    [
      { platform: 'mastodon', platformId: '1'.repeat(513) },
      'platform, platformId and postedId must be at most 512 characters long',
    ],
    [{ platform: 'x', platformId: '1' }, 'Unsupported platform "x". Supported: mastodon, bluesky'],
  ])('%j is refused: %s', async ([body, error]) => {
    const { status, body: answer } = await ada.call('POST', '/profile-statistics', body);
    expect([status, answer]).toEqual([400, { error }]);
  });

  test('[profile-statistics.plan] a plan without analytics is refused before the body is checked', async () => {
    const starter = await service().aUser({ plan: 'starter' });
    const { status, body } = await ask('mastodon', '1', starter);
    expect([status, body]).toEqual([
      403,
      { error: 'Analytics requires a Pro or Premium plan', code: 'ANALYTICS_PLAN_REQUIRED' },
    ]);
    expect((await ask('x', '1', starter)).body.code).toBe('ANALYTICS_PLAN_REQUIRED');
  });

  test.for(['mastodon', 'bluesky'] as const)(
    "an unknown %s connection, or somebody else's, is not found",
    async (name) => {
      const eve = await service().aUser();
      const { platformId } = await connect(ada, name);
      for (const id of [platformId, '99999999']) {
        const { status, body } = await ask(name, id, eve);
        expect([status, body]).toEqual([404, { error: `${name} connection not found` }]);
      }
    },
  );
});

describe('[profile-statistics.response] the answer', () => {
  test.for<[CountingVendor, string]>([
    ['mastodon', verify],
    ['bluesky', getProfile],
  ])('%s reports followers, followed accounts and posts, with one call in two hours', async ([vendor, call]) => {
    const { platformId } = await connect(ada, vendor);
    await publish(ada, platformId);
    const fetchedAt = clock.now().toISOString();
    const profile = { followers: 0, following: 0, posts: 1 };
    const calls = await asked(async () => {
      expect((await ask(vendor, platformId)).body).toEqual({ success: true, profile, cached: false, fetchedAt });
      clock.advance({ seconds: 7199 });
      const bare = platformId.replace(`${vendor}-`, '');
      expect((await ask(vendor, bare)).body).toEqual({ success: true, profile, cached: true, fetchedAt });
    });
    expect(calls).toEqual([call]);
    clock.advance({ seconds: 2 });
    expect((await ask(vendor, platformId)).body).toMatchObject({
      cached: false,
      fetchedAt: clock.now().toISOString(),
    });
  });

  test('followers are counted', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    await act('mastodon', 'fan', ({ instance }) => [
      `https://${instance}/api/v1/accounts/${/\d+/.exec(platformId)}/follow`,
      { method: 'POST' },
    ]);
    expect((await ask('mastodon', platformId)).body.profile).toEqual({ ...empty, followers: 1 });
  });

  test('[profile-statistics.cache] users of the same account share the answer: 200 requests at the same time make one call', async () => {
    const eve = await service().aUser();
    const { platformId, handle } = await connect(ada, 'bluesky');
    await connect(eve, 'bluesky', handle);
    const calls = await asked(async () => {
      const wanted = Array.from({ length: 200 }, (_, index) => ask('bluesky', platformId, index % 2 ? ada : eve));
      const answers = await Promise.all(wanted);
      expect(answers.map(({ body }) => body.profile)).toEqual(Array(200).fill(empty));
    });
    expect(calls).toEqual([getProfile]);
  });
});

describe('[profile-statistics.response] failures', () => {
  test('credentials that the platform refuses make the profile unavailable', async () => {
    const { platformId, handle } = await connect(ada, 'mastodon');
    await changeAccount('mastodon', handle, { revokeTokens: true });
    expect((await ask('mastodon', platformId)).body).toEqual({ ...nothing, unavailable: 'AUTH_REVOKED' });
    const { connections } = (await ada.call('GET', '/platform-connections')).body;
    expect(connections.find((one: { platformId: string }) => one.platformId.endsWith(platformId))).toMatchObject({
      connectionStatus: 'reconnect_required',
      tokenStatus: 'valid',
      lastError: { message: expect.stringMatching(/\S/) },
    });
  });

  test('a refused token of one user does not affect another user of the same account', async () => {
    const eve = await service().aUser();
    const { platformId, handle } = await connect(ada, 'mastodon');
    await changeAccount('mastodon', handle, { revokeTokens: true });
    await connect(eve, 'mastodon', handle);
    const [hers, his] = await Promise.all([ask('mastodon', platformId), ask('mastodon', platformId, eve)]);
    expect(his.body).toMatchObject({ profile: empty });
    expect([
      { ...nothing, unavailable: 'AUTH_REVOKED' },
      { ...his.body, cached: true },
    ]).toContainEqual(hers.body);
  });

  test.for(['mastodon', 'bluesky'] as const)('a suspended account on %s is forbidden', async (vendor) => {
    const { platformId, handle } = await connect(ada, vendor);
    await changeAccount(vendor, handle, { suspended: true });
    expect((await ask(vendor, platformId)).body).toEqual({ ...nothing, unavailable: 'FORBIDDEN' });
  });

  test('[post-statistics.cooldown] a cooldown is for posts and profile', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    const [post] = await publish(ada, platformId);
    await fault('mastodon', { operation: 'account', kind: 'rate_limit', retryAfterSeconds: 60 });
    expect((await ask('mastodon', platformId)).body).toEqual({ ...nothing, rateLimited: true });
    const calls = await asked(async () => {
      expect((await ask('mastodon', platformId)).body).toEqual({ ...nothing, rateLimited: true });
      const { body } = await ada.call('POST', '/post-statistics', { posts: [post] });
      expect(body.rateLimited).toBe(true);
    });
    expect(calls).toEqual([]);
    clock.advance({ seconds: 61 });
    expect((await ask('mastodon', platformId)).body).toMatchObject({ profile: { posts: 1 } });
  });

  test('[profile-statistics.temporary] a failure that may pass is answered with 200 and no profile, and is not cached', async () => {
    const { platformId } = await connect(ada, 'bluesky');
    await fault('bluesky', { operation: 'stats', kind: 'status', status: 502 });
    const { status, body } = await ask('bluesky', platformId);
    expect([status, body]).toEqual([200, nothing]);
    expect((await ask('bluesky', platformId)).body).toMatchObject({ profile: empty });
  });

  test('[profile-statistics.timeout] a request that takes longer than its time budget ends with 504', async () => {
    const { platformId } = await connect(ada, 'mastodon');
    await fault('mastodon', { operation: 'account', kind: 'latency', latencyMs: 5000 });
    const who = { userId: ada.id };
    const late = profileStatistics(service().app, who, { platform: 'mastodon', platformId }, 200);
    await expect(late).rejects.toMatchObject({
      status: 504,
      body: { error: 'Analytics request timed out', code: 'ANALYTICS_REQUEST_TIMEOUT' },
    });
  });
});
