import { describe, expect, test } from 'vitest';
import {
  create,
  created,
  gone,
  inApril,
  inMarch,
  march,
  monthlyRefusal,
  planLimitsStage,
  post,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';

const { aUser, aWorkspace, counters, setCounter, storedGroups } = planLimitsStage();

describe('[plans.post-limit] platform posts per month', () => {
  test('Starter counts 15 for the whole account', async () => {
    const ada = await aUser('starter', 'bluesky', 'telegram');
    await setCounter(ada.id, march, gone, 14);
    const refusal = {
      ...monthlyRefusal,
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
        ...monthlyRefusal,
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
      expect([status, body]).toMatchObject([
        403,
        { ...monthlyRefusal, limit: 100, used: 100, requested: 1, remaining: 0 },
      ]);
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
    expect(statusAndBody(last)).toMatchObject([403, monthlyRefusal]);
    // This is still March in UTC.
    const elsewhere = await create(ada, ada.targets, { scheduledTime: '2027-04-01T01:30:00+02:00' });
    expect(statusAndBody(elsewhere)).toMatchObject([403, monthlyRefusal]);
  });

  test('posts of managed users count for their owner', async () => {
    const { owner, connection, asManaged } = await aWorkspace('starter');
    await setCounter(owner.id, march, gone, 14);
    expect((await create(owner, [connection], { publishNow: true }, asManaged)).status).toBe(200);
    expect(statusAndBody(await create(owner, owner.targets, { publishNow: true }))).toMatchObject([
      403,
      { ...monthlyRefusal, used: 15 },
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
