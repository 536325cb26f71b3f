import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { IdempotencyHeader, retryable } from '../../../foundation/http/idempotency.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { deleteManyExample, rescheduleExample } from '../examples.ts';
import { deletePosts, reschedulePosts } from './change-many.ts';
import * as shape from './schema.ts';

const postsPerWrite = 50;

export function changeManyRoutes(server: Server, app: App) {
  server.post(
    '/reschedule-posts',
    {
      schema: {
        operationId: 'reschedulePosts',
        summary: 'Move many posts by the same amount of time',
        description:
          'Moves up to 500 drafts or scheduled posts, each as `update-post` does and with its own result. If one cannot be moved, the others still are. With an `Idempotency-Key`, a repeated call moves nothing twice. Counts as one write per 50 posts.',
        tags: ['Posts'],
        example: rescheduleExample,
        headers: IdempotencyHeader,
        body: shape.ReschedulePosts,
        response: { 200: shape.PostsChanged },
      },
      config: {
        failure: 'post_update_failed',
        problems: ['change_ids_invalid', 'change_too_many', 'reschedule_minutes_invalid', 'idempotency_key_invalid'],
      },
    },
    async (request, reply) => {
      await countWrites(request, request.body.postGroupIds.length);
      const retry = retryable(request, 'reschedule-posts', 220);
      return reschedulePosts(app, request.who, request.body, retry, () => reply.raw.destroyed);
    },
  );

  server.post(
    '/delete-posts',
    {
      schema: {
        operationId: 'deletePosts',
        summary: 'Delete many posts',
        description:
          'Deletes up to 500 posts, each as `delete-post` does and with its own result. Counts as one write per 50 posts.',
        tags: ['Posts'],
        example: deleteManyExample,
        body: shape.DeletePosts,
        response: { 200: shape.PostsChanged },
      },
      config: { failure: 'post_delete_failed', problems: ['change_ids_invalid', 'change_too_many'] },
    },
    async (request) => {
      await countWrites(request, request.body.postGroupIds.length);
      return deletePosts(app, request.who, request.body.postGroupIds);
    },
  );
}

/** The request itself has already been counted as the first write. */
async function countWrites(request: FastifyRequest, posts: number) {
  for (let counted = postsPerWrite; counted < posts; counted += postsPerWrite) await request.countRate('write');
}
