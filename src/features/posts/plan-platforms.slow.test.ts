import { describe, expect, test } from 'vitest';
import {
  create,
  created,
  inMarch,
  planLimitsStage,
  statusAndBody,
  update,
} from '../../../test/support/stages/plan-limits.ts';
import { planKeys } from '../../config/plans.ts';
import { platformIds } from '../../platforms/index.ts';

const { aUser, changePlan, counters, storedGroups } = planLimitsStage();

describe('[plans.availability] platforms', () => {
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
