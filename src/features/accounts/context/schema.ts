import { z } from 'zod';
import { connectionId, success, timestamp } from '../../../foundation/http/shapes.ts';
import { parseInstant } from '../../../foundation/time/times.ts';
import { metrics } from '../../users/quotas.ts';

/** The wire shapes of GET /account-context (contract.md#account-context). */

// A parameter that is given twice arrives as an array. Coerced to text, it is rejected like any other invalid time.
export const ContextQuery = z.object({
  scheduledTime: z.coerce
    .string()
    .max(10_000, { error: 'quota_time_invalid', abort: true })
    .transform((text, context) => {
      const time = parseInstant(text);
      if (time) return time;
      const params = { retryable: false, nextAction: 'CHANGE_SCHEDULE' };
      context.addIssue({ code: 'custom', message: 'quota_time_invalid', params });
      return z.NEVER;
    })
    .optional()
    .meta({
      format: 'date-time',
      description:
        'Selects the month of the monthly quota. A time in the past selects the current month. Write `+` in an offset as `%2B`.',
    }),
});

const amount = z.int().min(0);
const limit = amount.nullable().describe('Null: unlimited.');
const remaining = amount.nullable().describe('Null: unlimited.');

const usageScope = z
  .enum(['account', 'workspace'])
  .describe('Whose usage is counted. `workspace`: the owner and all managed users together.');

const MonthlyPosts = z
  .object({
    metric: z.literal(metrics.monthlyPosts),
    scope: z.enum(['account', 'connection']).describe('What `limit` applies to.'),
    usageScope,
    unit: z.literal('platform_post'),
    limit,
    used: amount,
    remaining: amount.nullable().describe('Null: unlimited, or the limit applies to each connection.'),
    periodStart: timestamp,
    periodEnd: timestamp,
    resetAt: timestamp,
    periodTimeZone: z.literal('UTC'),
    connections: z
      .array(z.object({ platformSelection: connectionId, used: amount, limit, remaining }))
      .describe("The user's connections, if the limit applies to each connection."),
  })
  .meta({ id: 'MonthlyPostsQuota', description: 'Platform posts per calendar month.' });

const ScheduledPosts = z
  .object({
    metric: z.literal(metrics.scheduledPosts),
    scope: z.literal('account'),
    usageScope,
    unit: z.literal('platform_post'),
    limit,
    used: amount,
    remaining,
    resetAt: z.null(),
  })
  .meta({ id: 'ScheduledPostsQuota', description: 'Scheduled platform posts that are not yet published.' });

const ScheduleHorizon = z
  .object({
    metric: z.literal(metrics.scheduleHorizon),
    unit: z.literal('day'),
    limit,
    maxScheduledDate: timestamp.nullable(),
    resetAt: z.null(),
  })
  .meta({ id: 'ScheduleHorizonQuota', description: 'How far ahead a post can be scheduled.' });

const Connections = z
  .object({
    metric: z.literal(metrics.connections),
    scope: z.literal('account'),
    usageScope,
    unit: z.literal('channel'),
    limit,
    used: amount,
    remaining,
  })
  .meta({ id: 'ConnectionsQuota', description: 'Connected accounts.' });

const HeldQuota = z
  .object({
    metric: z.string(),
    scope: z.literal('account'),
    usageScope,
    unit: z.enum(['post_group', 'upload', 'byte', 'webhook']),
    limit: amount,
    used: amount,
    remaining: amount,
  })
  .meta({ id: 'HeldQuota', description: 'Storage and records that count until they are deleted.' });

export const AccountContext = z
  .object({
    plane: z.literal('personal'),
    actorUserId: z.string(),
    snapshotAt: timestamp,
    serverTime: timestamp,
    effectiveQuotaTime: timestamp,
    plan: z.object({
      key: z.string(),
      name: z.string(),
      source: z
        .enum(['default', 'purchase', 'workspace_owner'])
        .describe(
          '`default`: the plan of every new account. `purchase`: set for this account. `workspace_owner`: the plan of the ' +
            'owner who manages this user.',
        ),
    }),
    features: z.object({
      publishing: z.boolean(),
      apiAccess: z.boolean(),
      mcpAccess: z.boolean(),
      analytics: z.boolean(),
      mentionables: z.boolean(),
    }),
    quotas: z.object({
      monthlyPosts: MonthlyPosts,
      scheduledPosts: ScheduledPosts,
      scheduleHorizon: ScheduleHorizon,
      connections: Connections,
      drafts: HeldQuota,
      uploads: HeldQuota,
      storage: HeldQuota,
      webhooks: HeldQuota,
    }),
    allowedPlatforms: z.array(z.string()).nullable().describe('Null: all.'),
    advisory: z.literal(true).describe('Nothing is reserved: another request may use the remaining quota first.'),
  })
  .meta({ id: 'AccountContext', description: 'The plan of an account, its limits and usage.' });
export type AccountContext = z.output<typeof AccountContext>;

export const ContextAnswer = z.object({ success, context: AccountContext });
