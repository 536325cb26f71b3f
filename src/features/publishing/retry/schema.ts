import { z } from 'zod';
import { connectionId, success } from '../../../foundation/http/shapes.ts';

const RetriedTarget = z.object({ _id: z.string(), platform: z.string(), platformId: connectionId });

export const PostRetried = z
  .object({
    success,
    postGroupId: z.string(),
    retried: z.array(RetriedTarget).describe('What is published again. Empty if an earlier call has begun it.'),
    notRetried: z.array(
      RetriedTarget.extend({
        reason: z.enum(['published', 'running', 'not_tried_yet', 'not_retryable', 'outcome_unknown', 'disconnected']),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'PostRetried', description: 'Which platform posts are tried again, and why others are not.' });

export type PostRetried = z.output<typeof PostRetried>;
