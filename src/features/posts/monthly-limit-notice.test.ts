import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { waitingMails } from '../../../test/support/service/queued-mail.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { PlanKey } from '../../config/plans.ts';

const clock = testClock('2027-03-28T12:00:00.000Z');
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
beforeEach(() => query('delete from mails'));
afterAll(() => service.close());

const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);
const mails = () => waitingMails(service.app);
const publish = (user: TestUser, target: string, more: object = { publishNow: true }) =>
  user.call('POST', '/create-post', { content: `Text ${process.hrtime.bigint()}`, platforms: [target], ...more });
const emailOf = async ({ id }: { id: string }) =>
  (await query('select email from users where id = $1', id)).rows[0].email;

/** A user who has used up the month's posts on this connection. */
async function atTheLimit(plan: PlanKey, limit: number, period = '2027-03-01') {
  const user = await service.aUser({ plan });
  const target = await user.aConnection();
  await query('insert into usage_counters values ($1, $2, $3, $4)', user.id, period, target, limit);
  return { ...user, target };
}

describe('[plans.monthly-notice] the first refusal of the monthly limit is mailed to the owner', () => {
  test.each([
    ['starter', 'Starter', 15],
    ['pro', 'Pro', 5000],
  ] as const)('on %s, once for many refusals at the same time', async (plan, name, limit) => {
    const user = await atTheLimit(plan, limit);
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(user, user.target)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['403 POST_LIMIT_REACHED']),
    );
    expect(await mails()).toEqual([
      {
        to: await emailOf(user),
        kind: 'monthly_limit_reached',
        data: { plan: name, limit, resetAt: '2027-04-01T00:00:00.000Z' },
      },
    ]);
  });

  test('again in the next month', async () => {
    const user = await atTheLimit('starter', 15);
    await publish(user, user.target);
    await query('update usage_counters set used = 15, period = $2 where owner_id = $1', user.id, '2027-04-01');
    clock.advance({ seconds: 4 * 86_400 });
    for (let count = 1; count <= 2; count += 1) await publish(user, user.target);
    clock.advance({ seconds: -4 * 86_400 });
    expect((await mails()).map(({ data }) => data.resetAt)).toEqual([
      '2027-04-01T00:00:00.000Z',
      '2027-05-01T00:00:00.000Z',
    ]);
  });

  test('when an edit is refused, too', async () => {
    const user = await atTheLimit('starter', 15);
    const { body } = await publish(user, user.target, {});
    expect(await mails()).toEqual([]);
    const scheduledTime = '2027-03-29T12:00:00.000Z';
    const refused = await user.call('PUT', `/update-post/${body.postGroupId}`, { status: 'scheduled', scheduledTime });
    expect(refused.body.code).toBe('POST_LIMIT_REACHED');
    expect(await mails()).toHaveLength(1);
  });

  test('to the owner of the workspace when a managed user is refused, never to the managed user', async () => {
    const owner = await service.aUser({ plan: 'pro' });
    const managed = await service.aUser();
    await query('update users set parent_user_id = $1 where id = $2', owner.id, managed.id);
    const target = await managed.aConnection();
    await query('insert into usage_counters values ($1, $2, $3, $4)', owner.id, '2027-03-01', target, 5000);
    const answer = await publish(managed, target);
    expect([answer.status, answer.body.code]).toEqual([403, 'POST_LIMIT_REACHED']);
    expect((await mails()).map(({ to }) => to)).toEqual([await emailOf(owner)]);
  });

  test('not when another limit is reached', async () => {
    const user = await service.aUser({ plan: 'starter' });
    const target = await user.aConnection();
    const answers = [];
    for (let count = 1; count <= 4; count += 1) {
      answers.push(await publish(user, target, { scheduledTime: '2027-03-29T12:00:00.000Z' }));
    }
    expect(answers.at(-1)?.body.code).toBe('SCHEDULED_POST_LIMIT_REACHED');
    expect(await mails()).toEqual([]);
  });

  test('and a mail that cannot be stored changes nothing about the refusal', async () => {
    const user = await atTheLimit('starter', 15);
    await query('alter table mails rename to mails_away');
    const { status, body } = await publish(user, user.target);
    await query('alter table mails_away rename to mails');
    expect([status, body.code]).toEqual([403, 'POST_LIMIT_REACHED']);
  });
});
