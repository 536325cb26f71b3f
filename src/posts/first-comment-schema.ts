import { z } from 'zod';
import { nameablePlatforms } from '../platforms/first-comments.ts';

export const maxComments = 3;
const delayRange = 'must be an integer between 0 and 86400';

/** As sent, stored and shown: `text` verbatim, the other keys only where the client gave them. */
export const FirstComment = z.strictObject({
  text: z
    .string('must be a string')
    // PostgreSQL's jsonb holds nothing else.
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be valid Unicode without null characters')
    .meta({ description: 'Posted without the blanks around it. Nothing but blanks: no comment.' }),
  platforms: z
    .array(z.string('must be an array of platform types'), 'must be an array of platform types')
    .optional()
    .meta({ description: `Of ${nameablePlatforms.join(', ')}. Left out or empty: every target that takes comments.` }),
  delaySeconds: z
    .int(delayRange)
    .min(0, delayRange)
    .max(86_400, delayRange)
    .optional()
    .meta({ description: 'Counted from the publication or from the comment before. 0 if left out.' }),
});
export type FirstComment = z.output<typeof FirstComment>;

const { $schema: _, ...itemSchema } = z.toJSONSchema(FirstComment);

/** For the OpenAPI document only: anything passes, so that `readFirstComments` can answer with the contract's errors. */
export const FirstCommentInput = z
  .unknown()
  .optional()
  .meta({ anyOf: [itemSchema, { type: 'null' }], description: 'The same as firstComments with one item.' });
export const FirstCommentsInput = z
  .unknown()
  .optional()
  .meta({
    anyOf: [{ type: 'array', items: itemSchema, maxItems: maxComments }, { type: 'null' }],
    description: 'Posted one after the other under the published post. One that fails stops those after it.',
  });
