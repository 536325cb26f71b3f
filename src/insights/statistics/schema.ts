import { z } from 'zod';
import type { ProblemKey } from '../../errors.ts';
import { platformFor, platformIds } from '../../platforms/index.ts';

/** The wire shapes of POST /post-statistics and POST /profile-statistics (contract, part 2: 4.11, 4.12). */

const supported = platformIds.filter((id) => platformFor(id)?.stats);
const maxPosts = 50;
const maxLength = 512;

const text = (problem: ProblemKey) =>
  z
    .string(problem)
    .min(1, problem)
    .max(maxLength, 'statistics_text_too_long' satisfies ProblemKey);

/** The answer names what was asked for and what there is. */
function onlySupported({ platform }: { platform: string }, context: z.RefinementCtx) {
  if (supported.some((name) => name === platform)) return;
  const error = `Unsupported platform "${platform}". Supported: ${supported.join(', ')}`;
  context.addIssue({
    code: 'custom',
    message: 'statistics_platform_unsupported' satisfies ProblemKey,
    params: { error },
  });
}

const platformIdMeta = { description: 'As GET /platform-connections gives it; the prefix may be left out.' };

const postText = text('statistics_post_invalid');
const AskedPost = z
  .object({ platform: postText, platformId: postText, postedId: postText }, 'statistics_post_invalid')
  .superRefine(onlySupported);

const postOutline = z.unknown().meta({
  type: 'object',
  required: ['platform', 'platformId', 'postedId'],
  properties: {
    platform: { type: 'string', enum: supported },
    platformId: { type: 'string', maxLength, ...platformIdMeta },
    postedId: { type: 'string', maxLength, description: 'A Mastodon status id, or a Bluesky AT-URI.' },
  },
});

/** How many there are is told before what is wrong with one of them. */
export const PostStatisticsRequest = z.object(
  {
    posts: z
      .array(postOutline, 'statistics_posts_required')
      .min(1, 'statistics_posts_required')
      .max(maxPosts, 'statistics_posts_too_many')
      .pipe(z.array(AskedPost)),
  },
  'statistics_posts_required',
);

const accountText = text('statistics_account_required');
export const ProfileStatisticsRequest = z
  .object(
    {
      platform: accountText.meta({ enum: supported }),
      platformId: accountText.meta(platformIdMeta),
    },
    'statistics_account_required',
  )
  .superRefine(onlySupported);

const count = z.number().nullable();
const never = z.null().describe('Neither network tells.');
const Metrics = z
  .object({
    reactions: count.describe('Favourites or likes.'),
    comments: count.describe('Replies.'),
    reposts: count.describe('Boosts or reposts.'),
    quotes: count.describe('Mastodon tells since 4.5.'),
    saves: count.describe('Bookmarks; Mastodon does not tell.'),
    impressions: never,
    reach: never,
    clicks: never,
  })
  .describe('Null where the network does not tell, never 0 for that.');

const rateLimited = z.literal(true).optional().describe('The network asked to be left alone for a while.');
const issueCodes = ['CONNECTION_NOT_FOUND', 'AUTH_REVOKED', 'FORBIDDEN', 'RATE_LIMITED', 'FETCH_FAILED'] as const;
export type IssueCode = (typeof issueCodes)[number];

export const PostStatistics = z.object({
  success: z.literal(true),
  stats: z
    .record(z.string(), Metrics.nullable())
    .describe('By postedId. Null: gone, not one of your published posts, or its connection has an issue.'),
  rateLimited,
  issues: z.record(z.string(), z.enum(issueCodes)).optional().describe('By connection.'),
});

export const ProfileStatistics = z.object({
  success: z.literal(true),
  profile: z.object({ followers: count, following: count, posts: count }).nullable(),
  cached: z.boolean(),
  fetchedAt: z.string().nullable().meta({ format: 'date-time', description: 'ISO 8601, UTC' }),
  rateLimited,
  unavailable: z.enum(['AUTH_REVOKED', 'FORBIDDEN']).optional(),
});
