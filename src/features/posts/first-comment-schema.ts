import { z } from 'zod';
import { postLimits } from '../../foundation/errors/posts.ts';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import { nameablePlatforms } from '../../platforms/first-comments.ts';

const maxNamed = 100;
const delayRange = 'must be an integer between 0 and 86400';

/** As sent, stored and returned: `text` verbatim, the other keys only if the client set them. */
export const FirstComment = z
  .strictObject({
    text: z
      .string('must be a string')
      // PostgreSQL's jsonb cannot store anything else.
      .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be valid Unicode without null characters')
      .meta({ description: 'Surrounding whitespace is removed. Whitespace alone removes the comment.' }),
    platforms: z
      .array(z.string('must be an array of platform types'), 'must be an array of platform types')
      .max(maxNamed, `must have at most ${maxNamed} entries`)
      .optional()
      .meta({
        description: `Platform types: ${nameablePlatforms.join(', ')}. Omitted or empty: all that support first comments.`,
      }),
    delaySeconds: z
      .int(delayRange)
      .min(0, delayRange)
      .max(86_400, delayRange)
      .optional()
      .meta({ description: 'Seconds after publication, or after the previous comment. Default 0.' }),
  })
  .meta({ id: 'FirstComment', description: 'A comment that is posted on the published post.' });
export type FirstComment = z.output<typeof FirstComment>;

/** Neither field is validated here, so that `readFirstComments` can return the contract's errors. */
export const FirstCommentInput = shownAs(z.unknown(), FirstComment.nullable())
  .optional()
  .describe('Same as `firstComments` with one item. Send only one of the two fields.');
export const FirstCommentsInput = shownAs(z.unknown(), z.array(FirstComment).max(postLimits.firstComments).nullable())
  .optional()
  .describe(
    'Comments to post in this order. If one fails, the later ones are not posted. `null` or `[]` removes them.',
  );

/** The result of one first comment on one target. */
export const FirstCommentResult = z
  .object({
    status: z.enum(['pending', 'posted', 'failed', 'skipped']),
    dueAt: timestamp.nullable(),
    commentId: z.string().nullable().describe('The id of the comment on the platform, if the platform returned one.'),
    skipReason: z.string().nullable().describe('For example `unsupported_platform`.'),
    attemptedAt: timestamp.nullable(),
    postedAt: timestamp.nullable(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        platformStatusCode: z.number().nullable(),
        outcomeUnknown: z.boolean().describe('True: the comment may exist on the platform.'),
      })
      .nullable(),
  })
  .meta({ id: 'FirstCommentResult', description: 'The result of one first comment on one target.' });
export type FirstCommentResult = z.output<typeof FirstCommentResult>;
