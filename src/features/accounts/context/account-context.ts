import type { App } from '../../../app.ts';
import { plans, type Quotas } from '../../../config/plans.ts';
import { listInTurn } from '../../../foundation/http/answers/long-reads.ts';
import type { Who } from '../../auth/access/api-key.ts';
import {
  allowedPlatforms,
  type Entitlements,
  entitlementsOf,
  maxScheduledDate,
  metrics,
  type Period,
  periodOf,
  readUsage,
  remainingOf,
  type Usage,
} from '../../users/quotas.ts';
import type { AccountContext } from './schema.ts';

/**
 * The user's permissions, limits and usage (contract.md#account-context). A managed user sees the limits of its owner
 * and the usage of all users of that owner, but only its own connections, because it must not learn who else is
 * managed.
 */
export async function readAccountContext(
  app: Pick<App, 'db' | 'clock'>,
  who: Who,
  { scheduledTime }: { scheduledTime?: Date | undefined } = {},
): Promise<AccountContext> {
  const now = app.clock.now();
  const quotaTime = scheduledTime && scheduledTime > now ? scheduledTime : now;
  const period = periodOf(quotaTime);
  // Counts what all managed users have.
  const usage = await listInTurn(
    who.ownerId,
    () => readUsage(app.db, { ownerId: who.ownerId, period }),
    () => 0,
  );
  const limits = entitlementsOf(who.plan, who.connectionQuantity);
  return {
    plane: 'personal',
    actorUserId: who.userId,
    snapshotAt: now.toISOString(),
    serverTime: now.toISOString(),
    effectiveQuotaTime: quotaTime.toISOString(),
    plan: { key: who.plan, name: plans[who.plan].name, source: sourceOf(who) },
    features: who.features,
    quotas: {
      monthlyPosts: monthlyPosts(limits, usage, period, who),
      ...momentaryQuotas(limits, usage),
      ...storedQuotas(plans[who.plan].quotas, usage),
      scheduleHorizon: {
        metric: metrics.scheduleHorizon,
        unit: 'day',
        limit: limits.horizonDays,
        maxScheduledDate: maxScheduledDate(limits, now)?.toISOString() ?? null,
        resetAt: null,
      },
    },
    allowedPlatforms: allowedPlatforms(who.plan),
    advisory: true,
  };
}

function sourceOf({ userId, ownerId, planIsDefault }: Who) {
  if (userId !== ownerId) return 'workspace_owner';
  return planIsDefault ? 'default' : 'purchase';
}

function monthlyPosts(
  { monthlyPosts: { limit, scope } }: Entitlements,
  { monthly, scope: usageScope }: Usage,
  period: Period,
  { connections }: Who,
): AccountContext['quotas']['monthlyPosts'] {
  const usedBy = new Map(monthly.connections.map(({ platformSelection, used }) => [platformSelection, used]));
  const used = monthly.account;
  const ofConnection = (platformSelection: string) => {
    const used = usedBy.get(platformSelection) ?? 0;
    return { platformSelection, used, limit, remaining: remainingOf(limit, used) };
  };
  const selections = connections.map(({ platform, accountId }) => `${platform}-${accountId}`).sort();
  return {
    metric: metrics.monthlyPosts,
    scope,
    usageScope,
    unit: 'platform_post',
    limit,
    used,
    remaining: scope === 'account' ? remainingOf(limit, used) : null,
    periodStart: period.start.toISOString(),
    periodEnd: period.end.toISOString(),
    resetAt: period.end.toISOString(),
    periodTimeZone: 'UTC',
    connections: scope === 'account' ? [] : selections.map(ofConnection),
  };
}

function momentaryQuotas(
  limits: Entitlements,
  usage: Usage,
): Pick<AccountContext['quotas'], 'scheduledPosts' | 'connections'> {
  const common = { scope: 'account', usageScope: usage.scope } as const;
  return {
    scheduledPosts: {
      metric: metrics.scheduledPosts,
      ...common,
      unit: 'platform_post',
      limit: limits.scheduledPosts,
      used: usage.queue,
      remaining: remainingOf(limits.scheduledPosts, usage.queue),
      resetAt: null,
    },
    connections: {
      metric: metrics.connections,
      ...common,
      unit: 'channel',
      limit: limits.connections,
      used: usage.connections,
      remaining: remainingOf(limits.connections, usage.connections),
    },
  };
}

function storedQuotas(limits: Quotas, { stored, scope: usageScope }: Usage) {
  const quota = <Unit extends string>(metric: string, unit: Unit, name: keyof Quotas) => ({
    metric,
    scope: 'account' as const,
    usageScope,
    unit,
    limit: limits[name],
    used: stored[name],
    remaining: Math.max(0, limits[name] - stored[name]),
  });
  return {
    drafts: quota(metrics.drafts, 'post_group', 'drafts'),
    uploads: quota(metrics.uploads, 'upload', 'uploads'),
    storage: quota(metrics.storage, 'byte', 'bytes'),
    webhooks: quota(metrics.webhooks, 'webhook', 'webhooks'),
  };
}
