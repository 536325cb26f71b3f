import type { App } from '../../../app.ts';
import type { ProblemKey } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { requireAnalytics } from '../require-analytics.ts';
import * as examples from './examples.ts';
import { postStatistics } from './post-statistics.ts';
import { profileStatistics } from './profile-statistics.ts';
import * as shape from './schema.ts';

const tags = ['Statistics'];
const common = [
  'statistics_platform_unsupported',
  'statistics_text_too_long',
  'analytics_plan_required',
  'analytics_timeout',
] as const satisfies ProblemKey[];

/** Routes for API keys. */
export function statisticsRoutes(server: Server, app: App) {
  server.post(
    '/post-statistics',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getPostStatistics',
        summary: 'Read the statistics of published posts',
        description: `Returns the statistics of posts that this service published on ${shape.supportedNames}. Cached for two hours.`,
        tags,
        example: examples.getPostStatistics,
        body: shape.PostStatisticsRequest,
        response: { 200: shape.PostStatistics },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'post_statistics_failed',
        problems: ['statistics_posts_required', 'statistics_posts_too_many', 'statistics_post_invalid', ...common],
      },
    },
    ({ who, body }) => postStatistics(app, who, body),
  );

  server.post(
    '/profile-statistics',
    {
      onRequest: requireAnalytics,
      schema: {
        operationId: 'getProfileStatistics',
        summary: 'Read the statistics of a profile',
        description: `Returns the number of followers, followed accounts and posts of an account on ${shape.supportedNames}. Cached for two hours.`,
        tags,
        example: examples.getProfileStatistics,
        body: shape.ProfileStatisticsRequest,
        response: { 200: shape.ProfileStatistics },
      },
      config: {
        scope: 'read',
        rate: 'statistics',
        failure: 'profile_statistics_failed',
        problems: ['statistics_account_required', 'statistics_connection_not_found', ...common],
      },
    },
    ({ who, body }) => profileStatistics(app, who, body),
  );
}
