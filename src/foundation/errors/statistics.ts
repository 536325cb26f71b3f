import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const statisticsLimits = { posts: 50, textLength: 512 } as const;

/** Errors of post and profile statistics (contract.md#post-statistics). */
export const statisticsProblems = {
  statistics_posts_required: { status: 400, error: 'posts array is required' },
  statistics_posts_too_many: { status: 400, error: `Maximum ${statisticsLimits.posts} posts per request` },
  statistics_post_invalid: { status: 400, error: 'Each post must have string platform, platformId and postedId' },
  statistics_account_required: { status: 400, error: 'platform and platformId are required' },
  statistics_text_too_long: {
    status: 400,
    error: `platform, platformId and postedId must be at most ${statisticsLimits.textLength} characters long`,
  },
  statistics_platform_unsupported: { status: 400, error: 'Unsupported platform' },
  statistics_connection_not_found: { status: 404, error: 'Connection not found' },
  analytics_plan_required: {
    status: 403,
    error: 'Analytics requires a Pro or Premium plan',
    code: 'ANALYTICS_PLAN_REQUIRED',
  },
  analytics_timeout: { status: 504, error: 'Analytics request timed out', code: 'ANALYTICS_REQUEST_TIMEOUT' },
  post_statistics_failed: { status: 500, error: 'Failed to fetch post statistics' },
  profile_statistics_failed: { status: 500, error: 'Failed to fetch profile statistics' },
} as const satisfies ProblemEntries;
