import { z } from 'zod';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';
import { success, timestamp, warnings } from '../../../foundation/http/shapes.ts';
import { fields, platformId, postedId, text, unchecked } from '../../insights/linkedin/request-fields.ts';

/** The wire shapes of comments, reactions, reshares and mentions on LinkedIn (contract.md#linkedin). */

const Urn = z.string();
const LinkedInFields = z.record(z.string(), z.unknown());
const UrnTranslated = z
  .object({ from: Urn, to: Urn })
  .optional()
  .describe('Present if LinkedIn uses a different URN for the post than the one given.');

export const NewComment = fields(['postedId', 'message', 'platformId'], {
  postedId,
  message: text('At most 1,250 characters after mentions are converted. May be empty with `imageUrl`.'),
  platformId,
  parentComment: text('The URN of the comment to reply to.'),
  imageUrl: text('A public https URL of a JPEG, PNG or GIF of at most 10 MB.'),
});
export const CommentCreated = z.object({
  success,
  comment: z
    .looseObject({
      id: z.string().nullable(),
      commentUrn: Urn.nullable(),
      message: z.string(),
      created: z.unknown().optional(),
      imageUrn: Urn.optional(),
    })
    .meta({ id: 'LinkedinComment', description: "A comment, with LinkedIn's further fields." }),
  warnings,
});

const commentFields = { postedId, commentId: text('The numeric id or the URN of the comment.'), platformId };
export const CommentToDelete = fields([], commentFields).optional();
export const CommentQuery = z.object(commentFields);
export const CommentDeleted = z.object({ success, deleted: z.string().describe('The `commentId` that you sent.') });

const reactionTypes = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'];
export const NewReaction = fields(['postedId', 'reactionType', 'platformId'], {
  postedId,
  reactionType: unchecked(z.enum(reactionTypes), 'Case-insensitive.'),
  platformId,
});
const reaction = LinkedInFields.describe("LinkedIn's own fields.");
export const ReactionCreated = z.object({ success, reaction, urnTranslated: UrnTranslated });

const reactionFields = { postedId, platformId };
export const ReactionToDelete = fields([], reactionFields).optional();
export const ReactionQuery = z.object(reactionFields);
export const ReactionDeleted = z.object({
  success,
  reaction: shownAs(z.unknown(), reaction.nullable()),
  urnTranslated: UrnTranslated,
});

export const NewReshare = fields(['platformId', 'parent'], {
  platformId: text('A LinkedIn connection. The prefix `linkedin-` is optional.'),
  parent: text('The post to reshare: `urn:li:share:<id>` or `urn:li:ugcPost:<id>`.'),
  commentary: text('At most 3,000 characters.'),
  visibility: unchecked(z.enum(['PUBLIC', 'CONNECTIONS']).default('PUBLIC'), 'Company pages can use only `PUBLIC`.'),
});
export const ReshareCreated = z.object({
  success,
  reshare: z
    .looseObject({ lifecycleState: z.unknown(), id: Urn.nullable() })
    .meta({ id: 'LinkedinReshare', description: "A reshare, with LinkedIn's further fields." }),
  warnings,
});

export const MentionablesQuery = z.object({
  q: text('Part of a name.'),
  // Not under `optional()`: the whole field is shown, so that a value without effect causes a warning.
  limit: shownAs(z.unknown().optional().describe('The maximum number of people.'), z.int().min(1).max(100).default(25)),
});
const Mentionable = z
  .object({
    personId: z.string(),
    name: z.string(),
    profileUrl: z.string(),
    profilePicture: z.string(),
    source: z.enum(['comment', 'reaction']).describe('Where the person was seen.'),
    lastSeenAt: timestamp,
    mention: z.string().nullable().describe('The text that mentions the person.'),
  })
  .meta({ id: 'LinkedinMentionable', description: 'A person who can be mentioned.' });
export const Mentionables = z.object({ success, people: z.array(Mentionable) });
