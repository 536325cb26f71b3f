import { type Plan, type PlanKey, plans, type Quotas } from '../../config/plans.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { platformIds } from '../../platforms/index.ts';
import { selectUsage } from './quota-queries.ts';

export { lockPlan } from './quota-queries.ts';

/** A calendar month in UTC. `end` is the first moment after it, when counting restarts. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
  /** The first day as `YYYY-MM-01`. Used as the key of the usage counters. */
  readonly key: string;
}

export function periodOf(time: Date): Period {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  const start = new Date(Date.UTC(year, month));
  return { start, end: new Date(Date.UTC(year, month + 1)), key: start.toISOString().split('T')[0]! };
}

/** The limits of one owner. Null means unlimited. */
export type Entitlements = Pick<Plan, 'monthlyPosts' | 'connections' | 'scheduledPosts' | 'horizonDays'>;

/** The number of purchased connections replaces the plan's limit. */
export function entitlementsOf(plan: PlanKey, connectionQuantity: number | null): Entitlements {
  const { monthlyPosts, connections, scheduledPosts, horizonDays } = plans[plan];
  return { monthlyPosts, connections: connectionQuantity ?? connections, scheduledPosts, horizonDays };
}

/** The latest time for which a post may be scheduled. Null if there is no limit. */
export function maxScheduledDate({ horizonDays }: Pick<Plan, 'horizonDays'>, now: Date): Date | null {
  return horizonDays === null ? null : new Date(now.getTime() + horizonDays * 86_400_000);
}

/** Null for all platforms. */
export function allowedPlatforms(plan: PlanKey): string[] | null {
  const { excludedPlatforms } = plans[plan];
  return excludedPlatforms.length === 0
    ? null
    : platformIds.filter((platform) => !excludedPlatforms.includes(platform));
}

export const remainingOf = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));

/** Whether a number counts the usage of one user, or of an owner and all of its managed users. */
export type UsageScope = 'account' | 'workspace';

export interface Usage {
  readonly scope: UsageScope;
  /** Platform posts reserved in the period: the total, and those of each connection. */
  readonly monthly: { readonly account: number; readonly connections: readonly ConnectionUsage[] };
  /** Platform posts that are scheduled and not yet due, except those of publishNow. */
  readonly queue: number;
  readonly connections: number;
  readonly stored: Quotas;
}
export interface ConnectionUsage {
  /** `<platform>-<account id>`, as in requests. */
  readonly platformSelection: string;
  readonly used: number;
}

export async function readUsage(db: Db, { ownerId, period }: { ownerId: string; period: Period }): Promise<Usage> {
  const row = await selectUsage(db, ownerId, period.key);
  return {
    scope: row.hasManagedUsers ? 'workspace' : 'account',
    monthly: { account: row.reservedByAccount, connections: row.reservedByConnection },
    queue: row.queue,
    connections: row.connections,
    stored: row.stored,
  };
}

/** The names of the limits in the API. */
export const metrics = {
  monthlyPosts: 'posts.platform_monthly',
  scheduledPosts: 'posts.scheduled_active',
  scheduleHorizon: 'posts.schedule_horizon_days',
  connections: 'connections.total',
  drafts: 'posts.drafts',
  uploads: 'media.open_uploads',
  storage: 'media.stored_bytes',
  webhooks: 'webhooks.total',
} as const;

/** The input of each error. The numbers are those before the request. */
export interface LimitFacts {
  POST_LIMIT_REACHED: { limit: number; requested: number; period: Period } & (
    | { scope: 'account'; used: number }
    // The connections without room. The top level of the body shows the numbers of the fullest one.
    | { scope: 'connection'; blocked: readonly ConnectionUsage[] }
  );
  SCHEDULED_POST_LIMIT_REACHED: Counted & { usageScope: UsageScope; ownerId: string };
  SCHEDULE_HORIZON_REACHED: { limit: number; scheduledTime: Date; maxScheduledDate: Date };
  /** The platforms of targets that are not in the plan, one for each target. */
  PLATFORM_NOT_AVAILABLE: { disallowed: readonly string[] };
  CONNECTIONS_OVER_LIMIT: { limit: number; used: number };
  CHANNEL_LIMIT_REACHED: Counted;
  DRAFT_LIMIT_REACHED: Counted;
  UPLOAD_LIMIT_REACHED: Counted;
  STORAGE_LIMIT_REACHED: Counted;
  WEBHOOK_LIMIT_REACHED: Counted;
}
export const quotaCodes = [
  'DRAFT_LIMIT_REACHED',
  'UPLOAD_LIMIT_REACHED',
  'STORAGE_LIMIT_REACHED',
  'WEBHOOK_LIMIT_REACHED',
] as const satisfies (keyof LimitFacts)[];
export type LimitCode = keyof LimitFacts;
interface Counted {
  limit: number;
  used: number;
  requested: number;
}

/** The error for a request that exceeds a limit of the plan, with the complete body (contract.md#plans). */
export function limitExceeded<Code extends LimitCode>(
  code: Code,
  facts: LimitFacts[Code] & { plan: PlanKey },
): Problem {
  return refusals[code](facts, facts.plan);
}

const refusals: { [Code in LimitCode]: (facts: LimitFacts[Code], plan: PlanKey) => Problem } = {
  POST_LIMIT_REACHED(facts, plan) {
    const { limit, requested, period, scope } = facts;
    const used = scope === 'account' ? facts.used : Math.max(0, ...facts.blocked.map((connection) => connection.used));
    return new Problem('post_limit_reached', {
      message: `Monthly post limit reached. ${allows(plan)} ${count(limit, 'platform post')} per month.`,
      metric: metrics.monthlyPosts,
      ...counted({ limit, used, requested }),
      periodStart: period.start.toISOString(),
      periodEnd: period.end.toISOString(),
      planName: plans[plan].name,
      limitScope: scope,
      ...(scope === 'connection' && {
        blockedPlatforms: facts.blocked.map(({ platformSelection, used }) => ({
          platformSelection,
          used,
          remaining: remainingOf(limit, used),
        })),
      }),
    });
  },

  SCHEDULED_POST_LIMIT_REACHED: ({ usageScope, ownerId, ...facts }, plan) =>
    new Problem('scheduled_post_limit_reached', {
      message: `Scheduled post limit reached. ${allows(plan)} ${count(facts.limit, 'platform post')} waiting at a time.`,
      metric: metrics.scheduledPosts,
      ...counted(facts),
      ...withoutPeriod,
      planName: plans[plan].name,
      // Whether the users of a workspace share the queue, and who owns that workspace.
      usageScope,
      workspaceOwnerId: usageScope === 'workspace' ? ownerId : null,
    }),

  SCHEDULE_HORIZON_REACHED: ({ limit, scheduledTime, maxScheduledDate }, plan) =>
    new Problem('schedule_horizon_reached', {
      message: `Schedule horizon reached. ${allows(plan)} scheduling up to ${count(limit, 'day')} ahead.`,
      metric: metrics.scheduleHorizon,
      limit,
      used: null,
      requested: null,
      remaining: null,
      ...withoutPeriod,
      planName: plans[plan].name,
      scheduledTime: scheduledTime.toISOString(),
      maxScheduledDate: maxScheduledDate.toISOString(),
    }),

  // The plan does not include these platforms at all, so waiting for the next period does not help.
  PLATFORM_NOT_AVAILABLE({ disallowed }, plan) {
    const disallowedPlatforms = [...new Set(disallowed)];
    return new Problem('platform_not_available', {
      message: `Platform not available. Your ${plans[plan].name} plan does not include ${disallowedPlatforms.join(', ')}.`,
      metric: metrics.monthlyPosts,
      ...counted({ limit: 0, used: 0, requested: disallowed.length }),
      ...withoutPeriod,
      planName: plans[plan].name,
      disallowedPlatforms,
      allowedPlatforms: allowedPlatforms(plan),
    });
  },

  CONNECTIONS_OVER_LIMIT: ({ limit, used }, plan) =>
    new Problem('connections_over_limit', {
      message: `Account over channel limit. ${allows(plan)} ${count(limit, 'channel')}, and ${used} are connected.`,
      metric: metrics.connections,
      ...counted({ limit, used, requested: 0 }),
      ...withoutPeriod,
      planName: plans[plan].name,
      overLimitBy: used - limit,
    }),

  CHANNEL_LIMIT_REACHED: (facts, plan) =>
    new Problem('channel_limit_reached', {
      message: `Channel limit reached. ${allows(plan)} ${count(facts.limit, 'channel')}.`,
      metric: metrics.connections,
      ...counted(facts),
      ...withoutPeriod,
      planName: plans[plan].name,
      projectedUsed: facts.used + facts.requested,
    }),

  DRAFT_LIMIT_REACHED: (facts, plan) =>
    new Problem('draft_limit_reached', {
      message: `Draft limit reached. ${allows(plan)} ${count(facts.limit, 'draft')}.`,
      ...ofQuota(metrics.drafts, facts, plan),
    }),

  UPLOAD_LIMIT_REACHED: (facts, plan) =>
    new Problem('upload_limit_reached', {
      message: `Upload limit reached. ${allows(plan)} ${count(facts.limit, 'upload')} waiting for a file at a time.`,
      ...ofQuota(metrics.uploads, facts, plan),
    }),

  STORAGE_LIMIT_REACHED: (facts, plan) =>
    new Problem('storage_limit_reached', {
      message: `Storage limit reached. ${allows(plan)} ${facts.limit / 1024 ** 3} GB of files.`,
      ...ofQuota(metrics.storage, facts, plan),
    }),

  WEBHOOK_LIMIT_REACHED: (facts, plan) =>
    new Problem('webhook_limit_reached', {
      message: `Webhook limit reached. ${allows(plan)} ${count(facts.limit, 'webhook')}, including those of managed users.`,
      ...ofQuota(metrics.webhooks, facts, plan),
    }),
};

const ofQuota = (metric: string, facts: Counted, plan: PlanKey) => ({
  metric,
  ...counted(facts),
  ...withoutPeriod,
  planName: plans[plan].name,
});

const allows = (plan: PlanKey) => `Your ${plans[plan].name} plan allows`;
const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;
const counted = ({ limit, used, requested }: Counted) => ({
  limit,
  used,
  requested,
  remaining: remainingOf(limit, used),
});
/** For limits that do not depend on the month. */
const withoutPeriod = { periodStart: null, periodEnd: null };
