import type { App } from '../../../app.ts';
import type { ProblemKey } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { requireAnalytics } from '../require-analytics.ts';
import { accountStatistics } from './account-statistics.ts';
import * as examples from './examples.ts';
import { followerStatistics } from './followers.ts';
import { postStatistics } from './post-statistics.ts';
import { profileSummary } from './profile-summary.ts';
import * as shape from './schema.ts';

const tags = ['LinkedIn'];
const common = [
  'analytics_plan_required',
  'linkedin_platform_id_not_string',
  'linkedin_platform_id_invalid',
  'linkedin_connection_not_found',
] as const satisfies ProblemKey[];
const forwarded = [
  'linkedin_token_expired',
  'linkedin_rate_limited',
  'linkedin_request_timeout',
] as const satisfies ProblemKey[];
const dateProblems = [
  'linkedin_date_range_not_object',
  'linkedin_date_range_incomplete',
  'linkedin_date_invalid',
  'linkedin_date_range_reversed',
] as const satisfies ProblemKey[];
const metricProblems = [
  'linkedin_query_type_missing',
  'linkedin_query_type_twice',
  'linkedin_query_type_invalid',
  'linkedin_query_types_invalid',
  'linkedin_metric_failed',
] as const satisfies ProblemKey[];

/** Statistics of LinkedIn accounts and posts, from contract.md#linkedin-followers on. */
export function linkedinStatisticsRoutes(server: Server, app: App) {
  server.post(
    '/linkedin-followers',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getLinkedinFollowers',
        summary: 'Read the followers of a LinkedIn account',
        description: 'Returns the total or the daily growth. Cached for two hours.',
        tags,
        example: examples.getLinkedinFollowers,
        body: shape.FollowersQuestion,
        response: { 200: shape.Followers },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'linkedin_followers_failed',
        problems: [
          ...common,
          ...forwarded,
          'linkedin_platform_id_missing',
          'linkedin_period_not_string',
          'linkedin_period_invalid',
          'linkedin_date_range_missing',
          ...dateProblems,
        ],
      },
    },
    ({ who, body }) => followerStatistics(app, who, body),
  );

  server.post(
    '/linkedin-profile-summary',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getLinkedinProfileSummary',
        summary: 'Read a summary of a LinkedIn account',
        description:
          'Returns the followers of the account and the totals of its posts. Metrics that could not be read are listed in `errors`.',
        tags,
        example: examples.getLinkedinProfileSummary,
        body: shape.SummaryQuestion,
        response: { 200: shape.Summary },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'linkedin_profile_failed',
        problems: [...common, 'linkedin_platform_id_missing', ...dateProblems, 'linkedin_profile_unreachable'],
      },
    },
    ({ who, body }) => profileSummary(app, who, body),
  );

  server.post(
    '/linkedin-post-statistics',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getLinkedinPostStatistics',
        summary: 'Read the statistics of a LinkedIn post',
        description: 'Returns one metric with `queryType`, or several with `queryTypes`. Cached for 30 minutes.',
        tags,
        example: examples.getLinkedinPostStatistics,
        body: shape.PostStatisticsQuestion,
        response: { 200: shape.PostStatistics },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'linkedin_post_statistics_failed',
        problems: [
          ...common,
          ...forwarded,
          'linkedin_post_statistics_fields_missing',
          'linkedin_post_statistics_fields_not_strings',
          'linkedin_post_urn_invalid',
          ...metricProblems,
        ],
      },
    },
    ({ who, body }) => postStatistics(app, who, body),
  );

  server.post(
    '/linkedin-account-statistics',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getLinkedinAccountStatistics',
        summary: 'Read the statistics of a LinkedIn account',
        description: 'Returns the statistics of all posts of the account, in total or per day. Cached for 30 minutes.',
        tags,
        example: examples.getLinkedinAccountStatistics,
        body: shape.AccountStatisticsQuestion,
        response: { 200: shape.AccountStatistics },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'linkedin_account_statistics_failed',
        problems: [
          ...common,
          ...forwarded,
          'linkedin_platform_id_missing',
          ...metricProblems,
          'linkedin_aggregation_not_string',
          'linkedin_aggregation_invalid',
          'linkedin_daily_reach',
          ...dateProblems,
        ],
      },
    },
    ({ who, body }) => accountStatistics(app, who, body),
  );
}
