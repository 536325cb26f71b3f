import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../test/support/app.ts';
import { eventually } from '../../test/support/eventually.ts';
import { publishDue } from '../../test/support/publishing.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { enableWorkspace, setPlan } from '../accounts/accounts.ts';
import { type PlanKey, planKeys } from '../lib/plans.ts';
import { platformIds } from '../platforms/index.ts';

/** Near the end of a month, so that a week's horizon reaches into the next. */
const now = '2027-03-28T12:00:00.000Z';
const march = '2027-03-01';
const april = '2027-04-01';
/** An account that is no longer connected. What it used still counts. */
const gone = 'mastodon-gone@example.com';
const inMarch = '2027-03-30T08:00:00.000Z';
const inApril = '2027-04-02T08:00:00.000Z';

const clock = testClock(now);
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

/** A user with connections to these platforms. Only those to Mastodon exist in the sandbox. */
async function aUser(plan: PlanKey, ...platforms: Parameters<TestUser['aConnection']>[0][]) {
  const user = await service.aUser({ plan });
  const targets: string[] = [];
  for (const platform of platforms) targets.push(await user.aConnection(platform));
  return { ...user, targets };
}

let texts = 0;
/** A body of create-post, with a text of its own. */
const post = (platforms: readonly string[], more: object = {}) => {
  texts += 1;
  return { content: `Text ${texts}`, platforms, ...more };
};
const create = (
  user: TestUser,
  platforms: readonly string[],
  more: object = {},
  headers: Record<string, string> = {},
) => user.call('POST', '/create-post', post(platforms, more), headers);
async function created(user: TestUser, platforms: readonly string[], more: object = {}): Promise<string> {
  const { status, body } = await create(user, platforms, more);
  expect([status, body]).toEqual([200, expect.objectContaining({ success: true })]);
  return body.postGroupId;
}
const update = (user: TestUser, id: string, body: object) => user.call('PUT', `/update-post/${id}`, body);
const remove = (user: TestUser, id: string) => user.call('DELETE', `/delete-post/${id}`);
const statusAndBody = ({ status, body }: Answer) => [status, body];
const codes = (answers: Answer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status, body }) => `${status}${body.code ? ` ${body.code}` : ''}`)).map(
      ([code, group]) => [code, group?.length],
    ),
  );
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** The usage of a month and of the queue, as account-context reports it. */
async function usage(user: TestUser, time = inMarch, headers: Record<string, string> = {}) {
  const { body } = await user.call('GET', `/account-context?scheduledTime=${time}`, undefined, headers);
  const { monthlyPosts, scheduledPosts } = body.context.quotas;
  return { month: monthlyPosts.used, queue: scheduledPosts.used };
}

const setCounter = (ownerId: string, period: string, connection: string, used: number) =>
  sql`insert into usage_counters (owner_id, period, connection, used) values (${ownerId}, ${period}, ${connection}, ${used})
    on conflict (owner_id, period, connection) do update set used = excluded.used`.execute(service.app.db);

/** Counters that are not zero, as `<month> <connection>`: those stored, and those that the stored targets add up to. */
async function counters(ownerId: string) {
  const { rows } = await sql<{ kept: object; counted: object }>`
    select
      (select coalesce(json_object_agg(period || ' ' || connection, used), '{}') from usage_counters
        where owner_id = ${ownerId} and used > 0) as kept,
      (select coalesce(json_object_agg(name, used), '{}') from (
        select reserved_period || ' ' || platform || '-' || account_id as name, count(*) as used from platform_posts
        where reserved_owner_id = ${ownerId} group by 1
      ) rows) as counted`.execute(service.app.db);
  return rows[0]!;
}
async function expectCountersAsStored(ownerId: string) {
  const { kept, counted } = await counters(ownerId);
  expect(kept).toEqual(counted);
}
/** Inserts scheduled targets without the API. */
async function fillQueue(user: TestUser, count: number) {
  const id = service.app.newId();
  await sql`insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
    values (${id}, ${user.id}, 'x', 'scheduled', ${inApril}, ${count}, ${count})`.execute(service.app.db);
  await sql`insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status)
    select ${id} || '-' || n, ${id}, ${user.id}, 'telegram', n::text, n, 'x', 'scheduled'
    from generate_series(1, ${count}::integer) n`.execute(service.app.db);
}
async function storedGroups(user: TestUser): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from post_groups where user_id = ${user.id}`.execute(
    service.app.db,
  );
  return Number(rows[0]!.count);
}
/** Waits until this process has been notified of the change. */
async function changePlan(user: TestUser, plan: PlanKey, connections?: number) {
  await setPlan(service.app, { user: user.id, plan, ...(connections && { connections }) });
  await eventually(async () => {
    const { body } = await user.call('GET', '/account-context');
    expect(body.context.plan.key).toBe(plan);
    expect(body.context.quotas.connections.limit).toBe(connections ?? (plan === 'starter' ? 3 : null));
  });
}
async function aWorkspace(plan: PlanKey) {
  const owner = await aUser(plan, 'bluesky');
  await enableWorkspace(service.app, { user: owner.id });
  const { body } = await eventually(async () => {
    const answer = await owner.call('POST', '/workspace/users', { username: `of-${owner.id}@example.com` });
    expect(answer.status).toBe(201);
    return answer;
  });
  const managedId: string = body.user._id;
  const connection = `telegram-of${managedId}`;
  await sql`insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
    values (${service.app.newId()}, ${managedId}, 'telegram', ${`of${managedId}`}, 'h', 'd', 'none')`.execute(
    service.app.db,
  );
  return { owner, managedId, connection, asManaged: { 'x-service-user-id': managedId } };
}

const monthly = {
  code: 'POST_LIMIT_REACHED',
  error: 'Post limit reached',
  metric: 'posts.platform_monthly',
  periodStart: '2027-03-01T00:00:00.000Z',
  periodEnd: '2027-04-01T00:00:00.000Z',
};
const queueLimit = {
  code: 'SCHEDULED_POST_LIMIT_REACHED',
  error: 'Scheduled post limit reached',
  metric: 'posts.scheduled_active',
  periodStart: null,
  periodEnd: null,
};

describe('8 Plans: platforms', () => {
  const refusal = {
    code: 'PLATFORM_NOT_AVAILABLE',
    error: 'Platform not available',
    message: 'Platform not available. Your Starter plan does not include twitter.',
    metric: 'posts.platform_monthly',
    limit: 0,
    used: 0,
    requested: 1,
    remaining: 0,
    periodStart: null,
    periodEnd: null,
    planName: 'Starter',
    disallowedPlatforms: ['twitter'],
    allowedPlatforms: platformIds.filter((platform) => platform !== 'twitter'),
  };

  test.each([
    ['a draft', {}],
    ['a scheduled post', { scheduledTime: inMarch }],
    ['a post for now', { publishNow: true }],
  ])('Starter has no X, not even for %s', async (_title, more) => {
    const ada = await aUser('starter', 'bluesky', 'twitter');
    expect(statusAndBody(await create(ada, ada.targets, more))).toEqual([403, refusal]);
    expect(await storedGroups(ada)).toBe(0);
    expect((await counters(ada.id)).kept).toEqual({});
  });

  test('update-post refuses to add X to a draft on Starter', async () => {
    const ada = await aUser('starter', 'bluesky', 'twitter');
    const id = await created(ada, ada.targets.slice(0, 1));
    expect(statusAndBody(await update(ada, id, { platforms: ada.targets }))).toEqual([403, refusal]);
    expect((await ada.call('GET', `/get-post/${id}`)).body.platforms).toEqual(ada.targets.slice(0, 1));
  });

  test('a draft for X from before a downgrade can be edited but not scheduled', async () => {
    const ada = await aUser('pro', 'twitter');
    const id = await created(ada, ada.targets);
    await changePlan(ada, 'starter');
    expect((await update(ada, id, { content: 'Better' })).status).toBe(200);
    expect(statusAndBody(await update(ada, id, { status: 'scheduled', scheduledTime: inMarch }))).toEqual([
      403,
      refusal,
    ]);
  });

  test.each(planKeys.filter((plan) => plan !== 'starter'))('%s has X', async (plan) => {
    const ada = await aUser(plan, 'twitter');
    const id = await created(ada, ada.targets);
    expect((await update(ada, id, { status: 'scheduled', scheduledTime: inMarch })).status).toBe(200);
    await created(ada, ada.targets, { publishNow: true });
  });
});

describe('8 Plans: platform posts per month', () => {
  test('Starter counts 15 for the whole account', async () => {
    const ada = await aUser('starter', 'bluesky', 'telegram');
    await setCounter(ada.id, march, gone, 14);
    const refusal = {
      ...monthly,
      message: 'Monthly post limit reached. Your Starter plan allows 15 platform posts per month.',
      limit: 15,
      used: 14,
      requested: 2,
      remaining: 1,
      planName: 'Starter',
      limitScope: 'account',
    };
    expect(statusAndBody(await create(ada, ada.targets, { scheduledTime: inMarch }))).toEqual([403, refusal]);
    expect(await storedGroups(ada)).toBe(0);
    expect(await usage(ada)).toEqual({ month: 14, queue: 0 });

    await created(ada, ada.targets.slice(0, 1), { scheduledTime: inMarch });
    expect(await usage(ada)).toEqual({ month: 15, queue: 1 });
    const full = { ...refusal, used: 15, requested: 1, remaining: 0 };
    expect(statusAndBody(await create(ada, ada.targets.slice(1), { publishNow: true }))).toEqual([403, full]);
    expect(await usage(ada)).toEqual({ month: 15, queue: 1 });
  });

  test.each([
    ['pro', 'Pro', 5000],
    ['pro_legacy', 'Pro', 100],
    ['premium_legacy', 'Premium', 500],
  ] as const)('%s counts for each connection', async (plan, planName, limit) => {
    const ada = await aUser(plan, 'bluesky', 'telegram', 'linkedin');
    const [first = '', second = '', third = ''] = ada.targets;
    await setCounter(ada.id, march, first, limit);
    await setCounter(ada.id, march, second, limit - 1);
    expect(statusAndBody(await create(ada, ada.targets, { scheduledTime: inMarch }))).toEqual([
      403,
      {
        ...monthly,
        message: `Monthly post limit reached. Your ${planName} plan allows ${limit} platform posts per month.`,
        limit,
        used: limit,
        requested: 3,
        remaining: 0,
        planName,
        limitScope: 'connection',
        blockedPlatforms: [{ platformSelection: first, used: limit, remaining: 0 }],
      },
    ]);
    expect((await counters(ada.id)).kept).toEqual({ [`${march} ${first}`]: limit, [`${march} ${second}`]: limit - 1 });
    expect(await storedGroups(ada)).toBe(0);

    await created(ada, [second, third], { publishNow: true });
    const { body } = await ada.call('GET', '/account-context');
    const { used, remaining, connections } = body.context.quotas.monthlyPosts;
    expect([used, remaining]).toEqual([limit + limit + 1, null]);
    expect(connections).toEqual(
      [
        { platformSelection: first, used: limit, limit, remaining: 0 },
        { platformSelection: second, used: limit, limit, remaining: 0 },
        { platformSelection: third, used: 1, limit, remaining: limit - 1 },
      ].sort((a, b) => (a.platformSelection < b.platformSelection ? -1 : 1)),
    );
  });

  test('update-post is refused in the same way, and the post stays a draft', async () => {
    const ada = await aUser('pro_legacy', 'bluesky');
    const id = await created(ada, ada.targets);
    await setCounter(ada.id, march, ada.targets[0]!, 100);
    for (const change of [{ status: 'scheduled', scheduledTime: inMarch }, { publishNow: true }]) {
      const { status, body } = await update(ada, id, change);
      expect([status, body]).toMatchObject([403, { ...monthly, limit: 100, used: 100, requested: 1, remaining: 0 }]);
    }
    expect((await ada.call('GET', `/get-post/${id}`)).body).toMatchObject({ status: 'draft', scheduledTime: null });
  });

  test('Agency has no limit, but its posts are counted', async () => {
    const ada = await aUser('agency', 'bluesky');
    await setCounter(ada.id, march, gone, 1_000_000);
    await created(ada, ada.targets, { scheduledTime: inMarch });
    expect(await usage(ada)).toEqual({ month: 1_000_001, queue: 1 });
  });

  test('a post counts in the month of its scheduled time', async () => {
    const ada = await aUser('starter', 'bluesky');
    await setCounter(ada.id, march, gone, 15);
    await created(ada, ada.targets, { scheduledTime: '2027-04-01T00:00:00.000Z' });
    expect([await usage(ada, inMarch), await usage(ada, inApril)]).toMatchObject([{ month: 15 }, { month: 1 }]);
    const last = await create(ada, ada.targets, { scheduledTime: '2027-03-31T23:59:59.999Z' });
    expect(statusAndBody(last)).toMatchObject([403, monthly]);
    // In UTC this is still March.
    const elsewhere = await create(ada, ada.targets, { scheduledTime: '2027-04-01T01:30:00+02:00' });
    expect(statusAndBody(elsewhere)).toMatchObject([403, monthly]);
  });

  test('posts of managed users count for their owner', async () => {
    const { owner, connection, asManaged } = await aWorkspace('starter');
    await setCounter(owner.id, march, gone, 14);
    expect((await create(owner, [connection], { publishNow: true }, asManaged)).status).toBe(200);
    expect(statusAndBody(await create(owner, owner.targets, { publishNow: true }))).toMatchObject([
      403,
      { ...monthly, used: 15 },
    ]);
    expect((await usage(owner, inMarch, asManaged)).month).toBe(15);
  });

  test('drafts and refused requests do not count', async () => {
    const ada = await aUser('starter', 'bluesky');
    await created(ada, ada.targets);
    expect((await create(ada, ada.targets, { scheduledTime: inMarch, content: 'x'.repeat(5000) })).status).toBe(400);
    expect((await create(ada, ['service-playground'], { scheduledTime: inMarch })).status).toBe(200);
    expect((await ada.call('POST', '/validate-post', post(ada.targets, { scheduledTime: inMarch }))).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 0, queue: 0 });
  });
});

describe('8 Plans: the queue', () => {
  test('Starter has 3 places for platform posts', async () => {
    const ada = await aUser('starter', 'bluesky', 'telegram');
    await created(ada, ada.targets, { scheduledTime: inMarch });
    const refusal = {
      ...queueLimit,
      message: 'Scheduled post limit reached. Your Starter plan allows 3 platform posts waiting at a time.',
      limit: 3,
      used: 2,
      requested: 2,
      remaining: 1,
      planName: 'Starter',
      usageScope: 'account',
      workspaceOwnerId: null,
    };
    expect(statusAndBody(await create(ada, ada.targets, { scheduledTime: inApril }))).toEqual([403, refusal]);
    const draft = await created(ada, ada.targets);
    expect(statusAndBody(await update(ada, draft, { status: 'scheduled', scheduledTime: inApril }))).toEqual([
      403,
      refusal,
    ]);
    await created(ada, ada.targets.slice(0, 1), { scheduledTime: inApril });
    expect(await usage(ada)).toEqual({ month: 2, queue: 3 });
    await expectCountersAsStored(ada.id);
  });

  test.each([
    ['pro_legacy', 100],
    ['premium_legacy', 500],
  ] as const)('%s lets %s wait', async (plan, limit) => {
    const ada = await aUser(plan, 'bluesky');
    await fillQueue(ada, limit - 1);
    await created(ada, ada.targets, { scheduledTime: inMarch });
    expect(statusAndBody(await create(ada, ada.targets, { scheduledTime: inMarch }))).toMatchObject([
      403,
      { ...queueLimit, limit, used: limit, requested: 1, remaining: 0 },
    ]);
    await created(ada, ada.targets, { publishNow: true });
  });

  test.each(['pro', 'agency'] as const)('%s has no such limit', async (plan) => {
    const ada = await aUser(plan, 'bluesky');
    await fillQueue(ada, 600);
    await created(ada, ada.targets, { scheduledTime: inMarch });
  });

  test('is shared by a whole workspace', async () => {
    const { owner, managedId, connection, asManaged } = await aWorkspace('starter');
    for (const time of [inMarch, inApril]) {
      expect((await create(owner, [connection], { scheduledTime: time }, asManaged)).status).toBe(200);
    }
    await created(owner, owner.targets, { scheduledTime: inMarch });
    const refusal = {
      ...queueLimit,
      limit: 3,
      used: 3,
      requested: 1,
      remaining: 0,
      usageScope: 'workspace',
      workspaceOwnerId: owner.id,
    };
    expect(statusAndBody(await create(owner, owner.targets, { scheduledTime: inMarch }))).toMatchObject([403, refusal]);
    expect(statusAndBody(await create(owner, [connection], { scheduledTime: inMarch }, asManaged))).toMatchObject([
      403,
      refusal,
    ]);
    expect(await usage(owner, inMarch, { 'x-service-user-id': managedId })).toEqual({ month: 2, queue: 3 });
  });

  test('publishNow takes no place in it, but counts in the month', async () => {
    const ada = await aUser('starter', 'bluesky');
    await fillQueue(ada, 3);
    await created(ada, ada.targets, { publishNow: true });
    expect(await usage(ada)).toEqual({ month: 1, queue: 3 });
  });

  test('a place is free again when publishing begins', async () => {
    const ada = await aUser('starter', 'mastodon');
    await created(ada, ada.targets, { scheduledTime: '2027-03-28T12:00:01.000Z' });
    expect(await usage(ada)).toEqual({ month: 1, queue: 1 });
    clock.advance({ seconds: 2 });
    await publishDue(service.app);
    clock.advance({ seconds: -2 });
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
  });
});

describe('8 Plans: the horizon', () => {
  const lastMoment = '2027-04-04T12:00:00.000Z';
  const tooLate = '2027-04-04T12:00:00.001Z';
  const refusal = {
    code: 'SCHEDULE_HORIZON_REACHED',
    error: 'Schedule horizon reached',
    message: 'Schedule horizon reached. Your Starter plan allows scheduling up to 7 days ahead.',
    metric: 'posts.schedule_horizon_days',
    limit: 7,
    used: null,
    requested: null,
    remaining: null,
    periodStart: null,
    periodEnd: null,
    planName: 'Starter',
    scheduledTime: tooLate,
    maxScheduledDate: lastMoment,
  };

  test('of Starter is 7 days, to the millisecond', async () => {
    const ada = await aUser('starter', 'bluesky');
    expect(statusAndBody(await create(ada, ada.targets, { scheduledTime: tooLate }))).toEqual([403, refusal]);
    const { body } = await ada.call('GET', '/account-context');
    expect(body.context.quotas.scheduleHorizon.maxScheduledDate).toBe(lastMoment);
    const id = await created(ada, ada.targets, { scheduledTime: lastMoment });
    expect(statusAndBody(await update(ada, id, { scheduledTime: tooLate }))).toEqual([403, refusal]);
    expect((await ada.call('GET', `/get-post/${id}`)).body.scheduledTime).toBe(lastMoment);
  });

  test('does not apply to drafts or to publishNow', async () => {
    const ada = await aUser('starter', 'bluesky');
    const id = await created(ada, ada.targets);
    expect((await update(ada, id, { scheduledTime: '2028-01-01T00:00:00.000Z' })).status).toBe(200);
    expect((await update(ada, id, { publishNow: true })).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
  });

  test.each(planKeys.filter((plan) => plan !== 'starter'))('%s has none', async (plan) => {
    const ada = await aUser(plan, 'bluesky');
    await created(ada, ada.targets, { scheduledTime: '2030-01-01T00:00:00.000Z' });
  });
});

describe('8 Plans: too many connections', () => {
  const overLimit = (plan: string, limit: number, used: number) => ({
    code: 'CONNECTIONS_OVER_LIMIT',
    error: 'Account over channel limit',
    message: `Account over channel limit. Your ${plan} plan allows ${limit} channels, and ${used} are connected.`,
    metric: 'connections.total',
    limit,
    used,
    requested: 0,
    remaining: 0,
    periodStart: null,
    periodEnd: null,
    planName: plan,
    overLimitBy: used - limit,
  });

  test('after a downgrade nothing can be scheduled or published, but drafts can be saved', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram', 'linkedin', 'threads');
    const draft = await created(ada, ada.targets.slice(0, 1));
    await changePlan(ada, 'starter');
    const refused = [403, overLimit('Starter', 3, 4)];
    for (const more of [{ scheduledTime: inMarch }, { publishNow: true }]) {
      expect(statusAndBody(await create(ada, ada.targets.slice(0, 1), more))).toEqual(refused);
      expect(statusAndBody(await update(ada, draft, { status: 'scheduled', ...more }))).toEqual(refused);
    }
    await created(ada, ada.targets.slice(0, 1));
    expect(await usage(ada)).toEqual({ month: 0, queue: 0 });

    await changePlan(ada, 'starter', 4);
    await created(ada, ada.targets.slice(0, 1), { scheduledTime: inMarch });
  });

  test('a purchased number replaces the number of the plan', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram', 'linkedin');
    await changePlan(ada, 'pro', 2);
    expect(statusAndBody(await create(ada, ada.targets, { publishNow: true }))).toEqual([403, overLimit('Pro', 2, 3)]);
  });
});

describe('8 Plans: what a post has reserved in a month', () => {
  test.each(planKeys)(
    '%s: it is taken at scheduling and given back by a pause, a removed target, a delete',
    async (plan) => {
      const ada = await aUser(plan, 'bluesky', 'telegram', 'linkedin');
      const [first = '', second = ''] = ada.targets;
      const seen = async () => {
        await expectCountersAsStored(ada.id);
        return usage(ada);
      };
      const id = await created(ada, [first, second]);
      expect(await seen()).toEqual({ month: 0, queue: 0 });
      const change = async (body: object) => {
        expect(statusAndBody(await update(ada, id, body))).toMatchObject([200, { success: true }]);
        return seen();
      };
      expect(await change({ status: 'scheduled', scheduledTime: inMarch })).toEqual({ month: 2, queue: 2 });
      expect(await change({ content: 'A better text' })).toEqual({ month: 2, queue: 2 });
      expect(await change({ platforms: [second] })).toEqual({ month: 1, queue: 1 });
      expect(await change({ platforms: ada.targets })).toEqual({ month: 3, queue: 3 });
      expect(await change({ status: 'draft' })).toEqual({ month: 0, queue: 0 });
      expect(await change({ platforms: [first], content: 'Still a draft' })).toEqual({ month: 0, queue: 0 });
      expect(await change({ status: 'scheduled' })).toEqual({ month: 1, queue: 1 });
      expect((await remove(ada, id)).status).toBe(200);
      expect(await seen()).toEqual({ month: 0, queue: 0 });
    },
  );

  test.each(planKeys)('%s: a post that moves to another month takes it along', async (plan) => {
    const ada = await aUser(plan, 'bluesky', 'telegram');
    const id = await created(ada, ada.targets, { scheduledTime: inMarch });
    expect((await update(ada, id, { scheduledTime: inApril })).status).toBe(200);
    expect([await usage(ada, inMarch), await usage(ada, inApril)]).toEqual([
      { month: 0, queue: 2 },
      { month: 2, queue: 2 },
    ]);
    await expectCountersAsStored(ada.id);
  });

  test('a post cannot be moved into a full month and stays in its own', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    const id = await created(ada, ada.targets, { scheduledTime: inMarch });
    await setCounter(ada.id, april, ada.targets[1]!, 5000);
    expect(statusAndBody(await update(ada, id, { scheduledTime: inApril }))).toMatchObject([
      403,
      { code: 'POST_LIMIT_REACHED', blockedPlatforms: [{ platformSelection: ada.targets[1], used: 5000 }] },
    ]);
    expect((await ada.call('GET', `/get-post/${id}`)).body).toMatchObject({
      status: 'scheduled',
      scheduledTime: inMarch,
    });
    expect((await usage(ada, inMarch)).month).toBe(2);
  });

  test('in a full month a scheduled post can be edited, moved within the month, sent to another account and published', async () => {
    const ada = await aUser('starter', 'bluesky', 'telegram');
    const id = await created(ada, ada.targets.slice(0, 1), { scheduledTime: inMarch });
    await setCounter(ada.id, march, gone, 14);
    for (const change of [
      { content: 'Better' },
      { scheduledTime: '2027-03-31T08:00:00.000Z' },
      { platforms: ada.targets.slice(1) },
    ]) {
      expect((await update(ada, id, change)).status).toBe(200);
      expect(await usage(ada)).toEqual({ month: 15, queue: 1 });
    }
    expect(statusAndBody(await update(ada, id, { platforms: ada.targets }))).toMatchObject([
      403,
      { ...monthly, limit: 15, used: 15, requested: 1, remaining: 0 },
    ]);
    expect((await ada.call('GET', `/get-post/${id}`)).body.platforms).toEqual(ada.targets.slice(1));

    expect((await update(ada, id, { publishNow: true })).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 15, queue: 0 });
  });

  test('a scheduled post can be edited when a downgrade made the limit lower than the usage', async () => {
    const ada = await aUser('premium_legacy', 'bluesky');
    const id = await created(ada, ada.targets, { scheduledTime: inMarch });
    await setCounter(ada.id, march, ada.targets[0]!, 300);
    await changePlan(ada, 'pro_legacy');
    expect((await update(ada, id, { content: 'Better' })).status).toBe(200);
    expect((await usage(ada)).month).toBe(300);
    expect((await update(ada, id, { status: 'draft' })).status).toBe(200);
    expect((await usage(ada)).month).toBe(299);
  });

  test.each(planKeys)('%s: publishing a scheduled post now frees its place and keeps the month', async (plan) => {
    const ada = await aUser(plan, 'bluesky');
    const id = await created(ada, ada.targets, { scheduledTime: inMarch });
    expect(await usage(ada)).toEqual({ month: 1, queue: 1 });
    expect((await update(ada, id, { publishNow: true })).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
    await expectCountersAsStored(ada.id);
  });

  test('a post of the next month that is published now still counts there, even if this month is full', async () => {
    const ada = await aUser('pro', 'bluesky');
    const id = await created(ada, ada.targets, { scheduledTime: inApril });
    await setCounter(ada.id, march, ada.targets[0]!, 5000);
    expect((await update(ada, id, { publishNow: true })).status).toBe(200);
    expect([await usage(ada, inMarch), await usage(ada, inApril)]).toEqual([
      { month: 5000, queue: 0 },
      { month: 1, queue: 0 },
    ]);
  });

  test.each(planKeys)('%s: what was published counts, also when it is deleted', async (plan) => {
    const ada = await aUser(plan, 'mastodon');
    const id = await created(ada, ada.targets, { publishNow: true });
    await publishDue(service.app);
    expect((await ada.call('GET', `/get-post/${id}`)).body.status).toBe('published');
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
    expect((await remove(ada, id)).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
  });

  test('it counts on, whatever the plan changes to (decisions 16)', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    const [first = '', second = ''] = ada.targets;
    await setCounter(ada.id, march, second, 12);
    const id = await created(ada, [first], { scheduledTime: inMarch });
    await changePlan(ada, 'starter');
    expect(await usage(ada)).toEqual({ month: 13, queue: 1 });
    const other = await created(ada, ada.targets, { scheduledTime: inMarch });
    expect(statusAndBody(await create(ada, [first], { publishNow: true }))).toMatchObject([
      403,
      { ...monthly, limit: 15, used: 15, requested: 1, limitScope: 'account' },
    ]);
    await changePlan(ada, 'pro_legacy');
    const { body } = await ada.call('GET', '/account-context');
    expect(body.context.quotas.monthlyPosts.connections).toMatchObject(
      [
        { platformSelection: first, used: 2 },
        { platformSelection: second, used: 13 },
      ].sort((a, b) => (a.platformSelection < b.platformSelection ? -1 : 1)),
    );
    for (const each of [id, other]) expect((await remove(ada, each)).status).toBe(200);
    expect((await counters(ada.id)).kept).toEqual({ [`${march} ${second}`]: 12 });
  });

  test('a request whose idempotency key was taken over reserves nothing', async () => {
    const ada = await aUser('starter', 'bluesky');
    const headers = { 'idempotency-key': 'slow' };
    const body = post(ada.targets, { scheduledTime: inMarch });
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`plan of ${ada.id}`}, 0))`;
    const waiting = async (count: number) => {
      const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(
        service.database.db,
      );
      expect(rows).toHaveLength(count);
    };
    let answers: Promise<Answer>[] = [];
    await service.database.db.transaction().execute(async (tx) => {
      await lock.execute(tx);
      answers = [ada.call('POST', '/create-post', body, headers)];
      await eventually(() => waiting(1));
      clock.advance({ seconds: 181 });
      answers.push(ada.call('POST', '/create-post', body, headers));
      await eventually(() => waiting(2));
    });
    const [first, second] = await Promise.all(answers);
    clock.advance({ seconds: -181 });
    expect(statusAndBody(first!)).toMatchObject([409, { code: 'IDEMPOTENCY_IN_FLIGHT' }]);
    expect(second!.status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 1 });
    await expectCountersAsStored(ada.id);
  });
});

describe('8 Plans: many requests at once', () => {
  test('50 for the last platform post of an account: one succeeds', async () => {
    const ada = await aUser('starter', 'bluesky');
    await setCounter(ada.id, march, gone, 14);
    const answers = await Promise.all(times(50, () => create(ada, ada.targets, { publishNow: true })));
    expect(codes(answers)).toEqual({ 200: 1, '403 POST_LIMIT_REACHED': 49 });
    expect(await storedGroups(ada)).toBe(1);
    expect(await usage(ada)).toEqual({ month: 15, queue: 0 });
  });

  test.each([
    ['pro', 5000],
    ['pro_legacy', 100],
    ['premium_legacy', 500],
  ] as const)('%s: 50 for the last 7 of a connection: 7 succeed', async (plan, limit) => {
    const ada = await aUser(plan, 'bluesky', 'telegram');
    const [first = '', second = ''] = ada.targets;
    await setCounter(ada.id, march, first, limit - 7);
    const answers = await Promise.all(
      times(50, (index) => create(ada, index % 2 ? [first, second] : [second, first], { scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 7, '403 POST_LIMIT_REACHED': 43 });
    expect(await storedGroups(ada)).toBe(7);
    expect((await counters(ada.id)).kept).toEqual({ [`${march} ${first}`]: limit, [`${march} ${second}`]: 7 });
  });

  test('50 for 3 places in the queue: 3 succeed', async () => {
    const ada = await aUser('starter', 'bluesky');
    const answers = await Promise.all(times(50, () => create(ada, ada.targets, { scheduledTime: inMarch })));
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 47 });
    expect(await usage(ada)).toEqual({ month: 3, queue: 3 });
    await expectCountersAsStored(ada.id);
  });

  test('50 of an owner and a managed user for 3 places in the queue: 3 succeed', async () => {
    const { owner, connection, asManaged } = await aWorkspace('starter');
    const answers = await Promise.all(
      times(50, (index) =>
        index % 2
          ? create(owner, owner.targets, { scheduledTime: inMarch })
          : create(owner, [connection], { scheduledTime: inMarch }, asManaged),
      ),
    );
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 47 });
    await expectCountersAsStored(owner.id);
  });

  test('20 drafts scheduled at once for 3 places in the queue: 3 succeed', async () => {
    const ada = await aUser('starter', 'bluesky');
    const drafts = await Promise.all(times(20, () => created(ada, ada.targets)));
    const answers = await Promise.all(
      drafts.map((id) => update(ada, id, { status: 'scheduled', scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 17 });
    await expectCountersAsStored(ada.id);
  });

  test('20 drafts scheduled at once for the last 4 of a connection: 4 succeed', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    const drafts = await Promise.all(
      times(20, (index) => created(ada, index % 2 ? ada.targets : ada.targets.toReversed())),
    );
    await setCounter(ada.id, march, ada.targets[0]!, 4996);
    const answers = await Promise.all(
      drafts.map((id) => update(ada, id, { status: 'scheduled', scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 4, '403 POST_LIMIT_REACHED': 16 });
    expect((await counters(ada.id)).kept).toEqual({
      [`${march} ${ada.targets[0]}`]: 5000,
      [`${march} ${ada.targets[1]}`]: 4,
    });
  });

  test('posts can be deleted while they are published, without errors on either side', async () => {
    const ada = await aUser('pro', 'mastodon', 'mastodon');
    for (let round = 0; round < 3; round += 1) {
      const ids = await Promise.all(times(12, () => created(ada, ada.targets, { publishNow: true })));
      const deletes = ids.map(async (id, index) => {
        // Spread over the time that publishing takes.
        await new Promise((resolve) => setTimeout(resolve, index * 12));
        return remove(ada, id);
      });
      const [answers] = await Promise.all([Promise.all(deletes), publishDue(service.app)]);
      expect(codes(answers)).toEqual({ 200: 12 });
    }
  });

  test('a post that is edited and deleted at once leaves no counters behind', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    for (let round = 0; round < 15; round += 1) {
      const scheduled = await created(ada, ada.targets, { scheduledTime: inMarch });
      const draft = await created(ada, ada.targets);
      const answers = await Promise.all([
        update(ada, scheduled, { status: 'draft' }),
        remove(ada, scheduled),
        update(ada, draft, { status: 'scheduled', scheduledTime: inMarch }),
        remove(ada, draft),
      ]);
      expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
      expect((await counters(ada.id)).kept).toEqual({});
    }
  });

  test.each(planKeys)(
    '%s: a storm of creates, edits and deletes leaves the counters as the posts say',
    async (plan) => {
      const ada = await aUser(plan, 'bluesky', 'telegram', 'linkedin');
      const random = dice(plan.length * 7919 + 17);
      const ids: string[] = [];
      const answers: Answer[] = [];
      const anyTargets = () => ada.targets.filter(() => random(2)).sort(() => random(3) - 1);
      const anyTime = () => (random(2) ? inMarch : inApril);
      const edits = [
        () => ({ status: 'draft' }),
        () => ({ status: 'scheduled', scheduledTime: anyTime() }),
        () => ({ platforms: anyTargets() }),
        () => ({ platforms: anyTargets(), scheduledTime: anyTime(), status: 'scheduled' }),
        () => ({ publishNow: true }),
        () => ({ content: `Edited ${random(1000)}` }),
      ];
      async function once() {
        const id = ids[random(ids.length || 1)];
        const kind = random(10);
        if (!id || kind < 4) {
          const targets = anyTargets();
          const more = [{}, { scheduledTime: anyTime() }, { scheduledTime: anyTime() }, { publishNow: true }][
            random(4)
          ]!;
          const answer = await create(ada, targets.length > 0 ? targets : ada.targets, more);
          if (answer.status === 200) ids.push(answer.body.postGroupId);
          answers.push(answer);
        } else if (kind < 8) answers.push(await update(ada, id, edits[random(edits.length)]!()));
        else answers.push(await remove(ada, id));
      }
      await Promise.all(
        times(12, async () => {
          for (let step = 0; step < 10; step += 1) await once();
        }),
      );
      const expected = [200, 400, 403, 404, 409];
      expect(answers.filter(({ status }) => !expected.includes(status)).map(statusAndBody)).toEqual([]);
      const wrong = answers.filter(({ status, body }) => status === 400 && body.code !== 'PLATFORMS_REQUIRED');
      expect(wrong.map(statusAndBody)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      await expectCountersAsStored(ada.id);
      const { queue } = await usage(ada);
      const { rows } = await sql<{ count: number }>`
      select count(*)::integer from platform_posts join post_groups on post_groups.id = post_group_id
      where platform_posts.user_id = ${ada.id} and platform_posts.status = 'scheduled' and not publish_now`.execute(
        service.app.db,
      );
      expect(queue).toBe(rows[0]!.count);
      if (plan === 'starter') expect(queue).toBeLessThanOrEqual(3);
    },
  );
});

/** The same throws each time. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}
