import type { App } from '../../app.ts';
import type { ProblemKey } from '../../errors.ts';
import type { Server } from '../../http/fastify.ts';
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

/** For whoever has an API key. */
export function statisticsRoutes(server: Server, app: App) {
  server.post(
    '/post-statistics',
    {
      schema: {
        operationId: 'postStatistics',
        summary: 'Read what Mastodon and Bluesky count of your published posts; remembered for two hours',
        tags,
        body: shape.PostStatisticsRequest,
        response: { 200: shape.PostStatistics },
      },
      config: {
        failure: 'post_statistics_failed',
        problems: ['statistics_posts_required', 'statistics_posts_too_many', 'statistics_post_invalid', ...common],
      },
    },
    ({ who, body }) => postStatistics(app, who, body),
  );

  server.post(
    '/profile-statistics',
    {
      schema: {
        operationId: 'profileStatistics',
        summary: 'Read the followers of a Mastodon or Bluesky account; remembered for two hours',
        tags,
        body: shape.ProfileStatisticsRequest,
        response: { 200: shape.ProfileStatistics },
      },
      config: {
        failure: 'profile_statistics_failed',
        problems: ['statistics_account_required', 'statistics_connection_not_found', ...common],
      },
    },
    ({ who, body }) => profileStatistics(app, who, body),
  );
}
