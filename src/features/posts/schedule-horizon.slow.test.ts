import { describe, expect, test } from 'vitest';
import {
  create,
  created,
  planLimitsStage,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';
import { planKeys } from '../../config/plans.ts';

const { aUser } = planLimitsStage();

describe('[plans.horizon-limit] the horizon', () => {
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
