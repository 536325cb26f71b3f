import { z } from 'zod';
import type { ProblemKey } from '../../../foundation/errors/index.ts';
import { statisticsLimits } from '../../../foundation/errors/statistics.ts';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';
import { success, timestamp } from '../../../foundation/http/shapes.ts';
import { shownNameOf } from '../../../platforms/descriptions.ts';
import { platformFor, platformIds } from '../../../platforms/index.ts';

/** The wire shapes of contract.md#post-statistics and contract.md#profile-statistics. */

const supported = platformIds.filter((id) => platformFor(id)?.stats);
/** For route descriptions. */
export const supportedNames = new Intl.ListFormat('en-GB').format(supported.map(shownNameOf));

const text = (problem: ProblemKey) =>
  z
    .string(problem)
    .min(1, problem)
    .max(statisticsLimits.textLength, 'statistics_text_too_long' satisfies ProblemKey);

/** The contract's error contains the platform that was sent and those that are supported. */
function onlySupported({ platform }: { platform: string }, context: z.RefinementCtx) {
  if (supported.some((name) => name === platform)) return;
  const error = `Unsupported platform "${platform}". Supported: ${supported.join(', ')}`;
  context.addIssue({
    code: 'custom',
    message: 'statistics_platform_unsupported' satisfies ProblemKey,
    params: { error },
  });
}

const shownPlatform = z.enum(supported);
const shownConnection = z
  .string()
  .max(statisticsLimits.textLength)
  .describe('The id from `GET /platform-connections`. The prefix is optional.');

const postText = text('statistics_post_invalid');
const AskedPost = z
  .object({ platform: postText, platformId: postText, postedId: postText }, 'statistics_post_invalid')
  .superRefine(onlySupported);

const shownPost = z.object({
  platform: shownPlatform,
  platformId: shownConnection,
  postedId: z
    .string()
    .max(statisticsLimits.textLength)
    .describe('The id of the post on the network, such as the AT-URI of a Bluesky post.'),
});

export const PostStatisticsRequest = z.object(
  {
    posts: z
      .array(shownAs(AskedPost, shownPost), 'statistics_posts_required')
      .min(1, 'statistics_posts_required')
      .max(statisticsLimits.posts, 'statistics_posts_too_many'),
  },
  'statistics_posts_required',
);

export const ProfileStatisticsRequest = z
  .object(
    {
      platform: shownAs(text('statistics_account_required'), shownPlatform),
      platformId: shownAs(text('statistics_account_required'), shownConnection),
    },
    'statistics_account_required',
  )
  .superRefine(onlySupported);

const count = z.number().nullable();
const never = z.null().describe('Not provided by any supported network.');
const PostMetrics = z
  .object({
    reactions: count.describe('Favourites or likes.'),
    comments: count.describe('Replies.'),
    reposts: count.describe('Boosts or reposts.'),
    quotes: count.describe('Provided by Mastodon since version 4.5.'),
    saves: count.describe('Bookmarks. Not provided by Mastodon.'),
    impressions: never,
    reach: never,
    clicks: never,
  })
  .meta({ id: 'PostMetrics', description: 'A value is null, never 0, if the network does not provide it.' });

const rateLimited = z.literal(true).optional().describe('Present if the network is rate limiting requests.');
const issueCodes = ['CONNECTION_NOT_FOUND', 'AUTH_REVOKED', 'FORBIDDEN', 'RATE_LIMITED', 'FETCH_FAILED'] as const;
export type IssueCode = (typeof issueCodes)[number];

export const PostStatistics = z.object({
  success,
  stats: z
    .record(z.string(), PostMetrics.nullable())
    .describe(
      'The statistics by `postedId`. Null: the post was deleted or is not one of yours, or its connection has an issue.',
    ),
  rateLimited,
  issues: z.record(z.string(), z.enum(issueCodes)).optional().describe('By connection. Omitted if there are none.'),
});

const ProfileMetrics = z
  .object({ followers: count, following: count, posts: count })
  .meta({ id: 'ProfileMetrics', description: 'A value is null, never 0, if the network does not provide it.' });

export const ProfileStatistics = z.object({
  success,
  profile: ProfileMetrics.nullable(),
  cached: z.boolean(),
  fetchedAt: timestamp.nullable(),
  rateLimited,
  unavailable: z.enum(['AUTH_REVOKED', 'FORBIDDEN']).optional(),
});
