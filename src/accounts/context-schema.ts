import { z } from 'zod';
import { parseInstant } from '../lib/times.ts';
import { metrics } from './quotas.ts';

/** The wire shapes of GET /account-context (contract 4.9). */

// Coerced: a parameter given twice arrives as a list, and is as wrong as any other text that is no time.
export const ContextQuery = z.object({
  scheduledTime: z.coerce
    .string()
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
      description: 'Selects the month to tell of; a past time means this month. In an offset, write + as %2B.',
    }),
});

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });
const amount = z.int().min(0);
const unlimited = amount.nullable().meta({ description: 'Null: unlimited' });

const usageScope = z.enum(['account', 'workspace']).meta({
  description: 'Whose usage is added up: `workspace` is the owner and all users that it manages.',
});

const MonthlyPosts = z.object({
  metric: z.literal(metrics.monthlyPosts),
  scope: z.enum(['account', 'connection']).meta({ description: 'What `limit` applies to' }),
  usageScope,
  unit: z.literal('platform_post'),
  limit: unlimited,
  used: amount,
  remaining: amount.nullable().meta({ description: 'Null when the limit applies to each connection, or is none' }),
  periodStart: timestamp,
  periodEnd: timestamp,
  resetAt: timestamp,
  periodTimeZone: z.literal('UTC'),
  connections: z
    .array(z.object({ platformSelection: z.string(), used: amount, limit: unlimited, remaining: unlimited }))
    .meta({ description: 'Where the limit applies to each connection: those of the user.' }),
});

const ScheduledPosts = z.object({
  metric: z.literal(metrics.scheduledPosts),
  scope: z.literal('account'),
  usageScope,
  unit: z.literal('platform_post'),
  limit: unlimited,
  used: amount,
  remaining: unlimited,
  resetAt: z.null(),
});

const ScheduleHorizon = z.object({
  metric: z.literal(metrics.scheduleHorizon),
  unit: z.literal('day'),
  limit: unlimited,
  maxScheduledDate: timestamp.nullable(),
  resetAt: z.null(),
});

const Connections = z.object({
  metric: z.literal(metrics.connections),
  scope: z.literal('account'),
  usageScope,
  unit: z.literal('channel'),
  limit: unlimited,
  used: amount,
  remaining: unlimited,
});

export const AccountContext = z.object({
  plane: z.literal('personal'),
  actorUserId: z.string(),
  snapshotAt: timestamp,
  serverTime: timestamp,
  effectiveQuotaTime: timestamp,
  plan: z.object({
    key: z.string(),
    name: z.string(),
    source: z.enum(['default', 'purchase', 'workspace_owner']).meta({
      description: 'Given to every new account; set for this account; or that of the owner who manages the user',
    }),
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
  }),
  allowedPlatforms: z.array(z.string()).nullable().meta({ description: 'Null: all' }),
  advisory: z
    .literal(true)
    .meta({ description: 'Reserves nothing: what is free now may be taken by the next request.' }),
});
export type AccountContext = z.output<typeof AccountContext>;

export const ContextAnswer = z.object({ success: z.literal(true), context: AccountContext });
