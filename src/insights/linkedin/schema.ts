import { z } from 'zod';
import { fields, platformId, text } from './request-fields.ts';

/** The wire shapes of the statistics that LinkedIn keeps (contract 4.7 to 4.10). */

const success = z.literal(true);

const whole = { type: 'integer' } as const;
const Day = { type: 'object', properties: { year: whole, month: whole, day: whole } } as const;
const dateRange = z
  .unknown()
  .optional()
  .meta({ type: 'object', properties: { start: Day, end: Day }, description: '`end` is the first day after it' });
const queryType = text('IMPRESSION, MEMBERS_REACHED, RESHARE, REACTION or COMMENT');
const queryTypes = z
  .unknown()
  .optional()
  .meta({ type: 'array', items: { type: 'string' }, description: 'Several of the same, or ALL' });

export const FollowersQuestion = fields({
  platformId,
  period: text('lifetime (default) or daily'),
  dateRange: dateRange.describe('Required for daily'),
});
const Count = z.number().nullable().describe('Null where LinkedIn does not tell.');
export const Followers = z.object({
  success,
  followersCount: Count.optional(),
  data: z.array(z.object({ date: z.string(), count: Count })).optional(),
  totalGrowth: z.number().optional(),
  cached: z.boolean(),
});

export const SummaryQuestion = fields({ platformId, dateRange });
const Errors = z.array(z.object({ metric: z.string(), error: z.string() })).optional();
export const Summary = z.object({
  success: z.boolean(),
  partialData: z.literal(true).optional(),
  profile: z.object({
    followers: z.object({ total: Count, periodGrowth: Count.optional() }),
    posts: z.object({
      totalImpressions: Count,
      totalMembersReached: Count,
      totalReactions: Count,
      totalComments: Count,
      totalReshares: Count,
    }),
  }),
  errors: Errors,
});

export const PostStatisticsQuestion = fields({
  postedId: text('URN of a post, or number of a share'),
  platformId,
  queryType,
  queryTypes,
});
const ofSeveral = { errors: Errors, cachedMetrics: z.array(z.string()).optional(), cached: z.boolean() };
export const PostStatistics = z.object({
  success: z.boolean(),
  count: Count.optional(),
  metrics: z.record(z.string(), Count).optional(),
  ...ofSeveral,
});

export const AccountStatisticsQuestion = fields({
  platformId,
  queryType,
  queryTypes,
  aggregation: text('TOTAL (default) or DAILY'),
  dateRange,
});
const DayOut = z.object({ year: z.number(), month: z.number(), day: z.number() });
const Points = z.array(z.object({ count: Count, dateRange: z.object({ start: DayOut, end: DayOut }) }));
export const AccountStatistics = z.object({
  success: z.boolean(),
  data: z.union([Count, Points]).optional(),
  metrics: z.record(z.string(), z.union([Count, Points])).optional(),
  aggregation: z.enum(['TOTAL', 'DAILY']),
  ...ofSeveral,
});
