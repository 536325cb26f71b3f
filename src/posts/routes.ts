import { z } from 'zod';
import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Server } from '../http/frame.ts';
import { IdempotencyHeader, once, retryable } from '../http/idempotency.ts';
import { isId } from '../lib/ids.ts';
import { createPostGroup, deletePostGroup, getPostGroup } from './posts.ts';
import { CreatePost, PostCreated, PostGroup, PostGroupPath } from './schema.ts';

const tags = ['Posts'];

export function postRoutes(server: Server, app: App) {
  server.post(
    '/create-post',
    {
      schema: {
        operationId: 'createPost',
        summary: 'Create a draft, schedule a post, or publish it now',
        tags,
        headers: IdempotencyHeader,
        body: CreatePost,
        response: { 200: PostCreated },
      },
      config: {
        failure: 'post_create_failed',
        problems: [
          'content_required',
          'platforms_missing',
          'platforms_empty',
          'platforms_not_array',
          'platforms_not_json',
          'platforms_duplicate',
          'platform_id_invalid',
          'platform_setting_unknown',
          'status_invalid',
          'platform_connection_invalid',
          'scheduled_time_invalid',
          'scheduled_time_past',
          'publish_now_invalid',
          'publish_now_conflict',
          'idempotency_key_invalid',
          'idempotency_in_flight',
          'idempotency_superseded',
          'idempotency_conflict',
          'idempotency_too_complex',
        ],
      },
    },
    (request) =>
      once(app, retryable(request, 'create-post'), (storeAnswer) =>
        createPostGroup(app, request.who, request.body, storeAnswer),
      ),
  );

  server.get(
    '/get-post/:postGroupId',
    {
      schema: {
        operationId: 'getPost',
        summary: 'Read a post group, its targets and what became of them',
        tags,
        params: z.object({ postGroupId: z.string() }),
        response: { 200: PostGroup },
      },
      config: { failure: 'post_group_unreadable', problems: ['post_group_not_found'] },
    },
    ({ who, params }) => {
      // The contract's answer to a malformed id here, and only here.
      if (!isId(params.postGroupId)) throw new Problem('post_group_unreadable');
      return getPostGroup(app, who, params.postGroupId.toLowerCase());
    },
  );

  server.delete(
    '/delete-post/:postGroupId',
    {
      schema: {
        operationId: 'deletePost',
        summary: 'Remove a post group in any status',
        tags,
        params: PostGroupPath,
        response: { 200: z.object({ success: z.literal(true) }) },
      },
      config: { failure: 'post_delete_failed', problems: ['post_group_not_found', 'post_group_id_invalid'] },
    },
    ({ who, params }) => deletePostGroup(app, who, params.postGroupId.toLowerCase()),
  );
}
