import { z } from 'zod';

/** The wire shapes of what can be done and counted at LinkedIn. */

/** What is wrong with a value is said by the use-case, in the contract's words. */
const text = (description: string) => z.unknown().optional().meta({ type: 'string', description });
/** Whatever else was sent has none of the fields. */
const fields = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess(
    (sent) => (typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {}),
    z.object(shape),
  );

const platformId = text('A LinkedIn connection: `linkedin-<id>`');
const postedId = text('`urn:li:share:<id>`, `urn:li:ugcPost:<id>` or `urn:li:activity:<id>`');
const success = z.literal(true);
const Urn = z.string();
const LinkedInFields = z.record(z.string(), z.unknown());
const UrnTranslated = z
  .object({ from: Urn, to: Urn })
  .optional()
  .describe('Only where LinkedIn took another URN of the post than the one given.');

export const NewComment = fields({
  postedId,
  message: text('At most 1,250 characters as people read it; may be empty with imageUrl'),
  platformId,
  parentComment: text('URN of the comment to answer'),
  imageUrl: text('Public https URL of a JPEG, PNG or GIF of at most 10 MB'),
});
export const CommentCreated = z.object({
  success,
  comment: z.looseObject({
    id: z.string(),
    commentUrn: Urn,
    message: z.unknown(),
    created: z.unknown().optional(),
    imageUrn: Urn.optional(),
  }),
});

const commentFields = { postedId, commentId: text('Number or URN of the comment'), platformId };
export const CommentToDelete = fields(commentFields);
export const CommentQuery = z.object(commentFields);
export const CommentDeleted = z.object({ success, deleted: z.string() });

export const NewReaction = fields({
  postedId,
  reactionType: text('LIKE, PRAISE, EMPATHY, INTEREST, APPRECIATION or ENTERTAINMENT'),
  platformId,
});
export const ReactionCreated = z.object({ success, reaction: LinkedInFields, urnTranslated: UrnTranslated });

const reactionFields = { postedId, platformId };
export const ReactionToDelete = fields(reactionFields);
export const ReactionQuery = z.object(reactionFields);
export const ReactionDeleted = z.object({ success, reaction: z.unknown(), urnTranslated: UrnTranslated });

export const NewReshare = fields({
  platformId: text('A LinkedIn connection; the prefix `linkedin-` may be left out'),
  parent: text('`urn:li:share:<id>` or `urn:li:ugcPost:<id>`'),
  commentary: text('At most 3,000 characters'),
  visibility: text('PUBLIC or CONNECTIONS; pages PUBLIC only'),
});
export const ReshareCreated = z.object({
  success,
  reshare: z.looseObject({ lifecycleState: z.unknown(), id: Urn }),
});

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

export const MentionablesQuery = z.object({
  q: z.unknown().optional().meta({ type: 'string', description: 'Part of a name' }),
  limit: z.unknown().optional().meta({ type: 'integer', description: '1 to 100; default 25' }),
});
export const Mentionables = z.object({
  success,
  people: z.array(
    z.object({
      personId: z.string(),
      name: z.string(),
      profileUrl: z.string(),
      profilePicture: z.string(),
      source: z.enum(['comment', 'reaction']),
      lastSeenAt: z.string().meta({ format: 'date-time' }),
      mention: z.string().nullable().describe('To be put into a text as it is.'),
    }),
  ),
});
