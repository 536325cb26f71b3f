import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import {
  create,
  created,
  inApril,
  inMarch,
  planLimitsStage,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';

const { aUser, aWorkspace, clock, expectCountersAsStored, service } = planLimitsStage();

const queueLimit = {
  code: 'SCHEDULED_POST_LIMIT_REACHED',
  error: 'Scheduled post limit reached',
  metric: 'posts.scheduled_active',
  periodStart: null,
  periodEnd: null,
};

/** Inserts scheduled targets directly, bypassing the API. */
async function fillQueue(user: TestUser, count: number) {
  const id = service().app.newId();
  await sql`insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
    values (${id}, ${user.id}, 'x', 'scheduled', ${inApril}, ${count}, ${count})`.execute(service().app.db);
  await sql`insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status)
    select ${id} || '-' || n, ${id}, ${user.id}, 'telegram', n::text, n, 'x', 'scheduled'
    from generate_series(1, ${count}::integer) n`.execute(service().app.db);
}

describe('[plans.queue-limit] the queue', () => {
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
    await publishDue(service().app);
    clock.advance({ seconds: -2 });
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
  });
});
