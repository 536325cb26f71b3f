import { z } from 'zod';
import { postLimits } from '../../../foundation/errors/posts.ts';
import { ProblemBody } from '../../../foundation/http/openapi/problem-body.ts';
import { success, timestamp } from '../../../foundation/http/shapes.ts';
import { isId } from '../../../foundation/lib/ids.ts';

/** The wire shapes of calls that change many posts. */

const postGroupIds = z
  .array(z.string({ error: 'change_ids_invalid' }).refine(isId, 'change_ids_invalid'), { error: 'change_ids_invalid' })
  .min(1, 'change_ids_invalid')
  .max(postLimits.changedPosts, 'change_too_many');

export const ReschedulePosts = z
  .object({
    postGroupIds,
    byMinutes: z
      .int({ error: 'reschedule_minutes_invalid' })
      .min(-527_040, 'reschedule_minutes_invalid')
      .max(527_040, 'reschedule_minutes_invalid')
      .describe('Minutes to move by. Negative: earlier.'),
  })
  .meta({ id: 'ReschedulePosts' });

export const DeletePosts = z.object({ postGroupIds }).meta({ id: 'DeletePosts' });

const ChangeResult = z
  .object({
    postGroupId: z.string(),
    status: z.number().describe('The HTTP status of the same call for this post alone.'),
    scheduledTime: timestamp.nullable().optional().describe('The new time.'),
    problem: ProblemBody.optional().describe('Why it was not changed.'),
  })
  .meta({ id: 'ChangeResult', description: 'The result for one post.' });

export const PostsChanged = z
  .object({
    success,
    succeeded: z.number(),
    failed: z.number(),
    results: z.array(ChangeResult).describe('One per post, in the order of the request.'),
  })
  .meta({ id: 'PostsChanged', description: 'The result for each post.' });

export type ReschedulePosts = z.output<typeof ReschedulePosts>;
export type ChangeResult = z.output<typeof ChangeResult>;
