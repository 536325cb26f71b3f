import { z } from 'zod';
import { fields, platformId, postedId, text } from '../../insights/linkedin/request-fields.ts';

/** The wire shapes of comments, reactions, reshares and mentions on LinkedIn (contract 4.2 to 4.6). */

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
