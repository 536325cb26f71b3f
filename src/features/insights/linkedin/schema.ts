import { z } from 'zod';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';
import { success } from '../../../foundation/http/shapes.ts';
import { fields, platformId, text, unchecked } from './request-fields.ts';

/** The wire shapes of LinkedIn's statistics, from contract.md#linkedin-followers on. */

const LinkedinDate = z
  .object({ year: z.number(), month: z.number(), day: z.number() })
  .meta({ id: 'LinkedinDate', description: 'A calendar day in UTC.' });
const LinkedinDateRange = z
  .object({ start: LinkedinDate, end: LinkedinDate })
  .meta({ id: 'LinkedinDateRange', description: '`end` is the day after the last day of the range.' });
const dateRange = shownAs(z.unknown(), LinkedinDateRange).optional();

const LinkedinMetric = z
  .enum(['IMPRESSION', 'MEMBERS_REACHED', 'RESHARE', 'REACTION', 'COMMENT'])
  .meta({ id: 'LinkedinMetric' });
/** More than there are, because a name may occur twice. */
export const maxMetrics = 100;
const queryType = unchecked(LinkedinMetric, 'One metric. Send either this or `queryTypes`.');
const queryTypes = unchecked(
  z.union([z.array(LinkedinMetric).max(maxMetrics), z.literal('ALL')]),
  'Several metrics, or `ALL`.',
);

export const FollowersQuestion = fields(['platformId'], {
  platformId,
  period: unchecked(z.enum(['lifetime', 'daily']).default('lifetime'), 'The total, or the daily growth.'),
  dateRange: dateRange.describe('Required if `period` is `daily`.'),
});
const Count = z.number().nullable().describe('Null if LinkedIn does not provide it.');
export const Followers = z.object({
  success,
  followersCount: Count.optional(),
  data: z.array(z.object({ date: z.string(), count: Count })).optional(),
  totalGrowth: z.number().optional(),
  cached: z.boolean(),
});

export const SummaryQuestion = fields(['platformId'], { platformId, dateRange });
const MetricError = z
  .object({ metric: z.string(), error: z.string() })
  .meta({ id: 'LinkedinMetricError', description: 'A metric that could not be read.' });
const errors = z.array(MetricError).optional().describe('Present if some metrics could not be read.');
export const Summary = z.object({
  success: z.boolean().describe('False if some metrics could not be read.'),
  partialData: z.literal(true).optional(),
  profile: z
    .object({
      followers: z.object({
        total: Count,
        periodGrowth: Count.optional().describe('Present if `dateRange` was sent.'),
      }),
      posts: z.object({
        totalImpressions: Count,
        totalMembersReached: Count,
        totalReactions: Count,
        totalComments: Count,
        totalReshares: Count,
      }),
    })
    .meta({
      id: 'LinkedinProfileSummary',
      description: 'The followers of an account and the statistics of its posts.',
    }),
  errors,
});

export const PostStatisticsQuestion = fields(['postedId', 'platformId'], {
  postedId: text('The URN of a post, or the numeric id of a share.'),
  platformId,
  queryType,
  queryTypes,
});
const ofSeveral = {
  errors,
  cachedMetrics: z.array(z.string()).optional().describe('The metrics that came from the cache.'),
  cached: z.boolean().describe('Whether any metric came from the cache.'),
};
export const PostStatistics = z.object({
  success: z.boolean().describe('False if some metrics could not be read.'),
  count: Count.optional().describe('The result for `queryType`.'),
  metrics: z.record(z.string(), Count).optional().describe('The results for `queryTypes`, by metric.'),
  ...ofSeveral,
});

export const AccountStatisticsQuestion = fields(['platformId'], {
  platformId,
  queryType,
  queryTypes,
  aggregation: unchecked(z.enum(['TOTAL', 'DAILY']).default('TOTAL'), 'One number, or one number per day.'),
  dateRange,
});
const LinkedinDailyCount = z
  .object({ count: Count, dateRange: LinkedinDateRange })
  .meta({ id: 'LinkedinDailyCount', description: 'A metric on one day.' });
const total = z
  .union([Count, z.array(LinkedinDailyCount)])
  .meta({ id: 'LinkedinCounts', description: 'A number for `TOTAL`, one number per day for `DAILY`.' });
export const AccountStatistics = z.object({
  success: z.boolean().describe('False if some metrics could not be read.'),
  data: total.optional().describe('The result for `queryType`.'),
  metrics: z.record(z.string(), total).optional().describe('The results for `queryTypes`, by metric.'),
  aggregation: z.enum(['TOTAL', 'DAILY']),
  ...ofSeveral,
});
