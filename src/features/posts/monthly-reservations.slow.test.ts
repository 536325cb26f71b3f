import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { Answer } from '../../../test/support/service/service.ts';
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
  remove,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';
import { planKeys } from '../../config/plans.ts';

const { aUser, changePlan, clock, counters, expectCountersAsStored, service, setCounter } = planLimitsStage();

const april = '2027-04-01';

describe('[plans.reservation] what a post has reserved in a month', () => {
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
      { ...monthlyRefusal, limit: 15, used: 15, requested: 1, remaining: 0 },
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
    await publishDue(service().app);
    expect((await ada.call('GET', `/get-post/${id}`)).body.status).toBe('published');
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
    expect((await remove(ada, id)).status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 0 });
  });

  test('[plans.reservation] it counts on, whatever the plan changes to', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    const [first = '', second = ''] = ada.targets;
    await setCounter(ada.id, march, second, 12);
    const id = await created(ada, [first], { scheduledTime: inMarch });
    await changePlan(ada, 'starter');
    expect(await usage(ada)).toEqual({ month: 13, queue: 1 });
    const other = await created(ada, ada.targets, { scheduledTime: inMarch });
    expect(statusAndBody(await create(ada, [first], { publishNow: true }))).toMatchObject([
      403,
      { ...monthlyRefusal, limit: 15, used: 15, requested: 1, limitScope: 'account' },
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
    const { db } = service().database;
    // Locks of other test files, which use separate databases, are listed as well.
    const waiting = async () => {
      const { rows } = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and not granted and datname = current_database()`.execute(db);
      expect(rows).toHaveLength(1);
    };
    const takenOver = async () => {
      const { rows } = await sql`select 1 from idempotency_keys
        where user_id = ${ada.id} and claimed_at = ${clock.now()}`.execute(db);
      expect(rows).toHaveLength(1);
    };
    let answers: Promise<Answer>[] = [];
    await db.transaction().execute(async (tx) => {
      await lock.execute(tx);
      answers = [ada.call('POST', '/create-post', body, headers)];
      await eventually(waiting);
      clock.advance({ seconds: 181 });
      answers.push(ada.call('POST', '/create-post', body, headers));
      await eventually(takenOver);
    });
    const [first, second] = await Promise.all(answers);
    clock.advance({ seconds: -181 });
    expect(statusAndBody(first!)).toMatchObject([409, { code: 'IDEMPOTENCY_IN_FLIGHT' }]);
    expect(second!.status).toBe(200);
    expect(await usage(ada)).toEqual({ month: 1, queue: 1 });
    await expectCountersAsStored(ada.id);
  });
});
