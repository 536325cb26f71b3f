import { z } from 'zod';
import { connectionId, success } from '../../../foundation/http/shapes.ts';

const RetriedTarget = z.object({ _id: z.string(), platform: z.string(), platformId: connectionId });

export const PostRetried = z
  .object({
    success,
    postGroupId: z.string(),
    retried: z
      .array(RetriedTarget)
      .describe('The platform posts being retried. Empty if an earlier call started them.'),
    notRetried: z.array(
      RetriedTarget.extend({
        reason: z.enum(['published', 'running', 'not_tried_yet', 'not_retryable', 'outcome_unknown', 'disconnected']),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'PostRetried', description: 'Which platform posts are retried, and why others are not.' });

export type PostRetried = z.output<typeof PostRetried>;
