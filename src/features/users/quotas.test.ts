import { describe, expect, test } from 'vitest';
import { planKeys } from '../../config/plans.ts';
import { allowedPlatforms, entitlementsOf, limitExceeded, maxScheduledDate, periodOf, remainingOf } from './quotas.ts';

describe('[plans] limits of a plan', () => {
  test.each([
    ['2027-03-04T05:06:07.089Z', '2027-03-01', '2027-04-01'],
    ['2027-03-01T00:00:00.000Z', '2027-03-01', '2027-04-01'],
    ['2027-03-31T23:59:59.999Z', '2027-03-01', '2027-04-01'],
    ['2027-12-31T23:30:00.000Z', '2027-12-01', '2028-01-01'],
    ['2027-12-31T23:30:00.000-01:00', '2028-01-01', '2028-02-01'],
  ])('%s is in the UTC month from %s to %s', (time, start, end) => {
    const period = { start: new Date(`${start}T00:00:00Z`), end: new Date(`${end}T00:00:00Z`), key: start };
    expect(periodOf(new Date(time))).toEqual(period);
  });

  test.each([
    ['starter', 15, 'account', 3, 3, 7],
    ['pro', 5000, 'connection', null, null, null],
    ['pro_legacy', 100, 'connection', null, 100, null],
    ['premium_legacy', 500, 'connection', null, 500, null],
    ['agency', null, 'account', null, null, null],
  ] as const)('%s: %s posts per %s', (plan, limit, scope, connections, scheduledPosts, horizonDays) => {
    const entitlements = { monthlyPosts: { limit, scope }, connections, scheduledPosts, horizonDays };
    expect(entitlementsOf(plan, null)).toEqual(entitlements);
  });

  test('bought connections replace the number of the plan', () => {
    expect(planKeys.map((plan) => entitlementsOf(plan, 8).connections)).toEqual([8, 8, 8, 8, 8]);
  });

  test('Starter has every platform except X, the others have all', () => {
    expect(planKeys.map(allowedPlatforms)).toEqual([
      ['instagram', 'threads', 'tiktok', 'linkedin', 'youtube', 'facebook', 'mastodon', 'bluesky', 'telegram'],
      null,
      null,
      null,
      null,
    ]);
  });

  test('the horizon ends exactly that many days from now', () => {
    const now = new Date('2027-02-25T05:06:07.089Z');
    expect(maxScheduledDate({ horizonDays: 7 }, now)).toEqual(new Date('2027-03-04T05:06:07.089Z'));
    expect(maxScheduledDate({ horizonDays: null }, now)).toBeNull();
  });

  test('remaining is never below zero, and null without a limit', () => {
    expect([remainingOf(15, 4), remainingOf(15, 20), remainingOf(null, 20)]).toEqual([11, 0, null]);
  });
});

describe('[plans] the body of a refusal', () => {
  const march = periodOf(new Date('2027-03-04T05:06:07Z'));
  const withoutPeriod = { periodStart: null, periodEnd: null };

  test('POST_LIMIT_REACHED of the whole account', () => {
    const facts = { plan: 'starter', scope: 'account', limit: 15, used: 14, requested: 2, period: march } as const;
    expect(limitExceeded('POST_LIMIT_REACHED', facts)).toMatchObject({ status: 403, key: 'post_limit_reached' });
    expect(limitExceeded('POST_LIMIT_REACHED', facts).body).toEqual({
      code: 'POST_LIMIT_REACHED',
      error: 'Post limit reached',
      message: 'Monthly post limit reached. Your Starter plan allows 15 platform posts per month.',
      metric: 'posts.platform_monthly',
      limit: 15,
      used: 14,
      requested: 2,
      remaining: 1,
      periodStart: '2027-03-01T00:00:00.000Z',
      periodEnd: '2027-04-01T00:00:00.000Z',
      planName: 'Starter',
      limitScope: 'account',
    });
  });

  test('POST_LIMIT_REACHED of connections names those without room, and shows the numbers of the fullest', () => {
    const blocked = [
      { platformSelection: 'mastodon-1@a.example', used: 100 },
      { platformSelection: 'linkedin-7', used: 101 },
    ];
    const facts = {
      plan: 'pro_legacy',
      scope: 'connection',
      limit: 100,
      blocked,
      requested: 1,
      period: march,
    } as const;
    expect(limitExceeded('POST_LIMIT_REACHED', facts).body).toEqual({
      code: 'POST_LIMIT_REACHED',
      error: 'Post limit reached',
      message: 'Monthly post limit reached. Your Pro plan allows 100 platform posts per month.',
      metric: 'posts.platform_monthly',
      limit: 100,
      used: 101,
      requested: 1,
      remaining: 0,
      periodStart: '2027-03-01T00:00:00.000Z',
      periodEnd: '2027-04-01T00:00:00.000Z',
      planName: 'Pro',
      limitScope: 'connection',
      blockedPlatforms: [
        { platformSelection: 'mastodon-1@a.example', used: 100, remaining: 0 },
        { platformSelection: 'linkedin-7', used: 101, remaining: 0 },
      ],
    });
  });

  test.each([
    ['workspace', '0123456789abcdef01234567'],
    ['account', null],
  ] as const)('SCHEDULED_POST_LIMIT_REACHED of one %s', (usageScope, workspaceOwnerId) => {
    const ownerId = '0123456789abcdef01234567';
    const facts = { plan: 'starter', limit: 3, used: 2, requested: 2, usageScope, ownerId } as const;
    expect(limitExceeded('SCHEDULED_POST_LIMIT_REACHED', facts)).toMatchObject({ status: 403 });
    expect(limitExceeded('SCHEDULED_POST_LIMIT_REACHED', facts).body).toEqual({
      code: 'SCHEDULED_POST_LIMIT_REACHED',
      error: 'Scheduled post limit reached',
      message: 'Scheduled post limit reached. Your Starter plan allows 3 platform posts waiting at a time.',
      metric: 'posts.scheduled_active',
      limit: 3,
      used: 2,
      requested: 2,
      remaining: 1,
      ...withoutPeriod,
      planName: 'Starter',
      usageScope,
      workspaceOwnerId,
    });
  });

  test('SCHEDULE_HORIZON_REACHED', () => {
    const problem = limitExceeded('SCHEDULE_HORIZON_REACHED', {
      plan: 'starter',
      limit: 7,
      scheduledTime: new Date('2027-03-20T00:00:00Z'),
      maxScheduledDate: new Date('2027-03-11T05:06:07Z'),
    });
    expect(problem.status).toBe(403);
    expect(problem.body).toEqual({
      code: 'SCHEDULE_HORIZON_REACHED',
      error: 'Schedule horizon reached',
      message: 'Schedule horizon reached. Your Starter plan allows scheduling up to 7 days ahead.',
      metric: 'posts.schedule_horizon_days',
      limit: 7,
      used: null,
      requested: null,
      remaining: null,
      ...withoutPeriod,
      planName: 'Starter',
      scheduledTime: '2027-03-20T00:00:00.000Z',
      maxScheduledDate: '2027-03-11T05:06:07.000Z',
    });
  });

  test('PLATFORM_NOT_AVAILABLE names each platform once', () => {
    const problem = limitExceeded('PLATFORM_NOT_AVAILABLE', { plan: 'starter', disallowed: ['twitter', 'twitter'] });
    expect(problem.status).toBe(403);
    expect(problem.body).toEqual({
      code: 'PLATFORM_NOT_AVAILABLE',
      error: 'Platform not available',
      message: 'Platform not available. Your Starter plan does not include twitter.',
      metric: 'posts.platform_monthly',
      limit: 0,
      used: 0,
      requested: 2,
      remaining: 0,
      ...withoutPeriod,
      planName: 'Starter',
      disallowedPlatforms: ['twitter'],
      allowedPlatforms: allowedPlatforms('starter'),
    });
  });

  test('CONNECTIONS_OVER_LIMIT', () => {
    const problem = limitExceeded('CONNECTIONS_OVER_LIMIT', { plan: 'starter', limit: 3, used: 5 });
    expect(problem.status).toBe(403);
    expect(problem.body).toEqual({
      code: 'CONNECTIONS_OVER_LIMIT',
      error: 'Account over channel limit',
      message: 'Account over channel limit. Your Starter plan allows 3 channels, and 5 are connected.',
      metric: 'connections.total',
      limit: 3,
      used: 5,
      requested: 0,
      remaining: 0,
      ...withoutPeriod,
      planName: 'Starter',
      overLimitBy: 2,
    });
  });

  test('CHANNEL_LIMIT_REACHED', () => {
    const problem = limitExceeded('CHANNEL_LIMIT_REACHED', { plan: 'pro', limit: 1, used: 1, requested: 2 });
    expect(problem.status).toBe(403);
    expect(problem.body).toEqual({
      code: 'CHANNEL_LIMIT_REACHED',
      error: 'Channel limit reached',
      message: 'Channel limit reached. Your Pro plan allows 1 channel.',
      metric: 'connections.total',
      limit: 1,
      used: 1,
      requested: 2,
      remaining: 0,
      ...withoutPeriod,
      planName: 'Pro',
      projectedUsed: 3,
    });
  });
});
