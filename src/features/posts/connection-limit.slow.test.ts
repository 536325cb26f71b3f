import { describe, expect, test } from 'vitest';
import {
  create,
  created,
  inMarch,
  planLimitsStage,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';

const { aUser, changePlan } = planLimitsStage();

describe('[plans.over-channels] too many connections', () => {
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
