import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { type Plan, type PlanKey, plans } from '../../../config/plans.ts';
import { platformIds } from '../../../platforms/index.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { setAccess } from '../operator/switches.ts';
import { createUser, setPlan } from '../operator/users.ts';
import { readAccountContext } from './account-context.ts';

const clock = testClock('2027-03-04T05:06:07.089Z');
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const query = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);

async function contextOf(user: TestUser, scheduledTime?: string, headers?: Record<string, string>) {
  const search = scheduledTime === undefined ? '' : `?scheduledTime=${encodeURIComponent(scheduledTime)}`;
  const { status, body } = await user.call('GET', `/account-context${search}`, undefined, headers);
  expect([status, body.success]).toEqual([200, true]);
  return body.context;
}

/** Makes one user the owner of the other. Call it before their first request, because access is cached. */
async function aWorkspace(plan: PlanKey) {
  const [owner, managed] = [await service.aUser({ plan }), await service.aUser({ plan: 'starter' })];
  await setAccess(service.app, owner.id, { workspace: true });
  await query('update users set parent_user_id = $1 where id = $2', [owner.id, managed.id]);
  return { owner, managed };
}

const reserve = (owner: TestUser, period: string, connection: string, used: number) =>
  query('insert into usage_counters (owner_id, period, connection, used) values ($1, $2, $3, $4)', [
    owner.id,
    period,
    connection,
    used,
  ]);

interface Waiting {
  status?: 'draft' | 'scheduled' | 'pending' | 'published';
  scheduledTime?: string;
  publishNow?: boolean;
  targets?: number;
}

/** A group whose targets all have this status. */
async function aGroup(user: TestUser, { status = 'scheduled', targets = 1, ...options }: Waiting = {}) {
  const { scheduledTime = '2027-03-20T00:00:00Z', publishNow = false } = options;
  const ofGroup = status === 'pending' ? 'scheduled' : status;
  const processing = status === 'pending' ? 'processing' : 'pending';
  await query(
    `with made as (
       insert into post_groups (id, user_id, content, status, scheduled_at, publish_now, target_count, open_targets,
         processing_status)
       values ($1, $2, 'x', $3, $4, $5, $6, $6, $8) returning id, user_id
     )
     insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, posted_id)
     select id || n, id, user_id, 'mastodon', n, n, 'x', $7, '1' from made, generate_series(1, $6) n`,
    [service.app.newId(), user.id, ofGroup, scheduledTime, publishNow, targets, status, processing],
  );
}

const storedQuota = (metric: string, unit: string, limit: number) => ({
  metric,
  scope: 'account',
  usageScope: 'account',
  unit,
  limit,
  used: 0,
  remaining: limit,
});

describe('[account-context] the context of a user', () => {
  test('has exactly the fields of the contract', async () => {
    const ada = await service.aUser({ plan: 'starter' });
    await ada.aConnection();
    await reserve(ada, '2027-03-01', 'mastodon-1@example.com', 6);
    await aGroup(ada, { targets: 2 });
    expect((await ada.call('GET', '/account-context')).body).toEqual({
      success: true,
      context: {
        plane: 'personal',
        actorUserId: ada.id,
        snapshotAt: '2027-03-04T05:06:07.089Z',
        serverTime: '2027-03-04T05:06:07.089Z',
        effectiveQuotaTime: '2027-03-04T05:06:07.089Z',
        plan: { key: 'starter', name: 'Starter', source: 'purchase' },
        features: { publishing: true, apiAccess: true, mcpAccess: true, analytics: false, mentionables: false },
        quotas: {
          monthlyPosts: {
            metric: 'posts.platform_monthly',
            scope: 'account',
            usageScope: 'account',
            unit: 'platform_post',
            limit: 15,
            used: 6,
            remaining: 9,
            periodStart: '2027-03-01T00:00:00.000Z',
            periodEnd: '2027-04-01T00:00:00.000Z',
            resetAt: '2027-04-01T00:00:00.000Z',
            periodTimeZone: 'UTC',
            connections: [],
          },
          scheduledPosts: {
            metric: 'posts.scheduled_active',
            scope: 'account',
            usageScope: 'account',
            unit: 'platform_post',
            limit: 3,
            used: 2,
            remaining: 1,
            resetAt: null,
          },
          scheduleHorizon: {
            metric: 'posts.schedule_horizon_days',
            unit: 'day',
            limit: 7,
            maxScheduledDate: '2027-03-11T05:06:07.089Z',
            resetAt: null,
          },
          connections: {
            metric: 'connections.total',
            scope: 'account',
            usageScope: 'account',
            unit: 'channel',
            limit: 3,
            used: 1,
            remaining: 2,
          },
          // Additions to the contract.
          drafts: storedQuota('posts.drafts', 'post_group', 500),
          uploads: storedQuota('media.open_uploads', 'upload', 200),
          storage: storedQuota('media.stored_bytes', 'byte', 10 * 1024 ** 3),
          webhooks: storedQuota('webhooks.total', 'webhook', 10),
        },
        allowedPlatforms: platformIds.filter((platform) => platform !== 'twitter'),
        advisory: true,
      },
    });
  });

  test('on a plan that counts by connection lists all connections of the user', async () => {
    const ada = await service.aUser({ plan: 'pro_legacy' });
    const [first, second] = [await ada.aConnection(), await ada.aConnection()].sort() as [string, string];
    await reserve(ada, '2027-03-01', first, 40);
    await reserve(ada, '2027-03-01', 'mastodon-removed@since.example', 2);
    const { monthlyPosts } = (await contextOf(ada)).quotas;
    expect(monthlyPosts).toMatchObject({ scope: 'connection', limit: 100, used: 42, remaining: null });
    expect(monthlyPosts.connections).toEqual([
      { platformSelection: first, used: 40, limit: 100, remaining: 60 },
      { platformSelection: second, used: 0, limit: 100, remaining: 100 },
    ]);
  });

  test('an unlimited quota has null for limit and remaining', async () => {
    const ada = await service.aUser({ plan: 'agency' });
    await reserve(ada, '2027-03-01', 'mastodon-1@example.com', 6);
    const { quotas, allowedPlatforms } = await contextOf(ada);
    expect(quotas).toMatchObject({
      monthlyPosts: { limit: null, used: 6, remaining: null },
      scheduledPosts: { limit: null, used: 0, remaining: null },
      scheduleHorizon: { limit: null, maxScheduledDate: null },
      connections: { limit: null, used: 0, remaining: null },
    });
    expect(allowedPlatforms).toBeNull();
  });

  test('the queue counts scheduled posts only: no drafts, publishNow, or posts in progress or published', async () => {
    const ada = await service.aUser({ plan: 'pro_legacy' });
    await aGroup(ada, { targets: 3 });
    await aGroup(ada, { scheduledTime: '2027-03-04T05:06:00Z' });
    await aGroup(ada, { publishNow: true });
    for (const status of ['draft', 'pending', 'published'] as const) await aGroup(ada, { status });
    expect((await contextOf(ada)).quotas.scheduledPosts).toMatchObject({ limit: 100, used: 4, remaining: 96 });
  });

  test('remaining is 0 when the limit is exceeded', async () => {
    const ada = await service.aUser({ plan: 'starter' });
    for (let made = 0; made < 4; made += 1) await ada.aConnection();
    await reserve(ada, '2027-03-01', 'mastodon-1@example.com', 20);
    await aGroup(ada, { targets: 5 });
    expect((await contextOf(ada)).quotas).toMatchObject({
      monthlyPosts: { used: 20, remaining: 0 },
      scheduledPosts: { used: 5, remaining: 0 },
      connections: { used: 4, remaining: 0 },
    });
  });

  test('bought connections are the limit, and the source of the plan is purchase', async () => {
    const ada = await service.aUser({ plan: 'pro' });
    await setPlan(service.app, { user: ada.id, plan: 'pro', connections: 12 });
    const { plan, quotas } = await contextOf(ada);
    expect(plan).toEqual({ key: 'pro', name: 'Pro', source: 'purchase' });
    expect(quotas.connections).toMatchObject({ limit: 12, used: 0, remaining: 12 });
  });

  test('the source of the plan is default until one is chosen, even if the default has changed since', async () => {
    const { app } = service;
    const { id } = await createUser(app, { email: 'by-default@example.com', password: 'long enough' });
    const planOf = async () => (await readAccountContext(app, await whoIs(app.db, id))).plan;
    await query("update users set plan = 'starter' where id = $1", [id]);
    expect(app.config.defaultPlan).not.toBe('starter');
    expect(await planOf()).toMatchObject({ key: 'starter', source: 'default' });
    await setPlan(app, { user: id, plan: app.config.defaultPlan });
    expect(await planOf()).toMatchObject({ key: app.config.defaultPlan, source: 'purchase' });
  });

  test('does not count the usage of other users', async () => {
    const [ada, ben] = [await service.aUser({ plan: 'starter' }), await service.aUser({ plan: 'starter' })];
    await reserve(ada, '2027-03-01', 'mastodon-1@example.com', 6);
    await aGroup(ada);
    await ada.aConnection();
    expect((await contextOf(ben)).quotas).toMatchObject({
      monthlyPosts: { used: 0 },
      scheduledPosts: { used: 0 },
      connections: { used: 0 },
    });
  });
});

describe('[account-context.query] scheduledTime', () => {
  let ada: TestUser;
  beforeAll(async () => {
    ada = await service.aUser({ plan: 'starter' });
    await reserve(ada, '2027-02-01', 'mastodon-1@example.com', 2);
    await reserve(ada, '2027-03-01', 'mastodon-1@example.com', 3);
    await reserve(ada, '2027-04-01', 'mastodon-1@example.com', 4);
  });

  test.each([
    ['this month', '2027-03-31T23:59:59Z', '2027-03-31T23:59:59.000Z', '2027-03-01', 3],
    ['another month', '2027-04-01T00:00:00Z', '2027-04-01T00:00:00.000Z', '2027-04-01', 4],
    ['another month by its offset', '2027-03-31T22:00:00-05:00', '2027-04-01T03:00:00.000Z', '2027-04-01', 4],
    ['a month without posts', '2027-09-09T09:09:09.5+02:00', '2027-09-09T07:09:09.500Z', '2027-09-01', 0],
    ['the past: this month', '2027-02-10T00:00:00Z', '2027-03-04T05:06:07.089Z', '2027-03-01', 3],
  ])('selects %s', async (_, scheduledTime, effectiveQuotaTime, start, used) => {
    const context = await contextOf(ada, scheduledTime);
    expect(context).toMatchObject({ effectiveQuotaTime, serverTime: '2027-03-04T05:06:07.089Z' });
    expect(context.quotas.monthlyPosts).toMatchObject({ periodStart: `${start}T00:00:00.000Z`, used });
    expect(context.quotas.scheduleHorizon.maxScheduledDate).toBe('2027-03-11T05:06:07.089Z');
  });

  test('accepts the last possible date', async () => {
    const { quotas } = await contextOf(ada, '9999-12-31T23:59:59Z');
    expect(quotas.monthlyPosts).toMatchObject({ used: 0, remaining: 15 });
  });

  test.each([
    ['no zone', 'scheduledTime=2027-05-01T10:00:00'],
    ['a date alone', 'scheduledTime=2027-05-01'],
    ['a day that does not exist', 'scheduledTime=2027-02-30T10:00:00Z'],
    ['an hour that does not exist', 'scheduledTime=2027-05-01T25:00:00Z'],
    ['a moment after the year 9999', 'scheduledTime=9999-12-31T23:59:59-05:00'],
    ['words', 'scheduledTime=tomorrow'],
    ['nothing', 'scheduledTime='],
    ['two times', 'scheduledTime=2027-05-01T10:00:00Z&scheduledTime=2027-06-01T10:00:00Z'],
  ])('refuses %s', async (_, search) => {
    expect(await ada.call('GET', `/account-context?${search}`)).toMatchObject({
      status: 400,
      body: {
        error: 'scheduledTime must be a valid ISO date-time',
        code: 'INVALID_SCHEDULED_TIME',
        retryable: false,
        nextAction: 'CHANGE_SCHEDULE',
      },
    });
  });
});

describe('[account-context.managed-user] of a managed user', () => {
  test('has the limits of the owner and the usage of all its users, by header and by its own key', async () => {
    const { owner, managed } = await aWorkspace('pro_legacy');
    const [ofOwner, ofManaged] = [await owner.aConnection(), await managed.aConnection()];
    await reserve(owner, '2027-03-01', ofOwner, 5);
    await reserve(owner, '2027-03-01', ofManaged, 7);
    await aGroup(owner, { targets: 2 });
    await aGroup(managed);
    const quotas = {
      monthlyPosts: { usageScope: 'workspace', limit: 100, used: 12 },
      scheduledPosts: { usageScope: 'workspace', limit: 100, used: 3, remaining: 97 },
      connections: { usageScope: 'workspace', limit: null, used: 2 },
    };
    const plan = { key: 'pro_legacy', name: 'Pro', source: 'workspace_owner' };
    const byHeader = await contextOf(owner, undefined, { 'x-service-user-id': managed.id });
    expect(byHeader).toMatchObject({ actorUserId: managed.id, plan, quotas });
    expect(byHeader.quotas.monthlyPosts.connections).toEqual([
      { platformSelection: ofManaged, used: 7, limit: 100, remaining: 93 },
    ]);
    expect(await contextOf(managed)).toEqual(byHeader);

    const own = await contextOf(owner);
    expect(own).toMatchObject({ actorUserId: owner.id, plan: { ...plan, source: 'purchase' }, quotas });
    expect(own.quotas.monthlyPosts.connections).toEqual([
      { platformSelection: ofOwner, used: 5, limit: 100, remaining: 95 },
    ]);
  });

  test('of a user of another owner is refused', async () => {
    const { owner } = await aWorkspace('pro');
    const { managed: stranger } = await aWorkspace('pro');
    const headers = { 'x-service-user-id': stranger.id };
    expect(await owner.call('GET', '/account-context', undefined, headers)).toMatchObject({
      status: 403,
      body: { error: 'User is not managed by key' },
    });
  });
});

describe('[account-context] errors', () => {
  test('needs a key', async () => {
    const answer = await service.server.inject({ url: '/api/v1/account-context' });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'API key is required' }]);
  });

  test('needs a plan with API access', async () => {
    // Every current plan includes it. Plans are data, so the test adds one to the table.
    const all = plans as Record<string, Plan>;
    all.no_api = { ...plans.starter, features: { ...plans.starter.features, apiAccess: false } };
    const ada = await service.aUser();
    await query(`update users set plan = 'no_api' where id = $1`, [ada.id]);
    const { status, body } = await ada.call('GET', '/account-context');
    expect([status, body]).toEqual([403, { error: 'API access is not enabled for this account' }]);
    await query(`update users set plan = 'pro' where id = $1`, [ada.id]);
    delete all.no_api;
  });

  test('reports that the usage cannot be read', async () => {
    const ada = await service.aUser();
    await query('alter table usage_counters rename to usage_counters_away');
    const { status, body } = await ada.call('GET', '/account-context');
    await query('alter table usage_counters_away rename to usage_counters');
    expect([status, body]).toEqual([500, { error: 'Failed to read account context' }]);
  });
});
