import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { IdempotencyHeader, once, retryable } from '../../foundation/http/idempotency.ts';
import {
  editProblems,
  newPostProblems,
  retryProblems,
  scheduleProblems,
  validateProblems,
} from '../../foundation/http/openapi/post-problems.ts';
import type { Server } from '../../foundation/http/server.ts';
import { Success } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { listBrandsInTurn } from '../users/brands.ts';
import { createPostGroup, validateNewPost } from './create/create-post.ts';
import { lacksContent } from './create/required-content.ts';
import * as examples from './examples.ts';
import { limitWarnings, listPostGroups } from './list/list-posts.ts';
import { listPostLogs } from './list/post-logs.ts';
import { deletePostGroup, getPostGroup } from './posts.ts';
import * as shape from './schema.ts';
import { type StoredEdit, wholeAnswer } from './update/edit-answer.ts';
import { getEditablePost } from './update/editable-post.ts';
import { updatePostGroup } from './update/update-post.ts';

const tags = ['Posts'];

export function postRoutes(server: Server, app: App) {
  server.post(
    '/create-post',
    {
      preValidation: requireContent,
      schema: {
        operationId: 'createPost',
        summary: 'Create, schedule or publish a post',
        description:
          'With `scheduledTime`, the post is scheduled; with `publishNow`, it is published immediately; with neither, it is a draft. Each connection gets one platform post. To try a call, send `platforms: ["service-playground"]`: it ' +
          'is validated and acknowledged, and nothing is stored.',
        tags,
        example: examples.createPost,
        headers: IdempotencyHeader,
        body: shape.CreatePost,
        response: { 200: shape.PostCreated },
      },
      config: { failure: 'post_create_failed', problems: [...newPostProblems, ...scheduleProblems, ...retryProblems] },
    },
    (request) =>
      once(app, retryable(request, 'create-post'), (claimedKey) =>
        createPostGroup(app, request.who, request.body, claimedKey),
      ),
  );

  server.post(
    '/validate-post',
    {
      preValidation: requireContent,
      schema: {
        operationId: 'validatePost',
        summary: 'Validate a post without storing it',
        description:
          'Takes the body of `create-post` and reports everything that the platforms would reject. The status is 200 ' +
          'even if the post is not valid: read `validation.valid`.',
        tags,
        example: examples.validatePost,
        querystring: shape.ValidatePostQuery,
        body: shape.CreatePost,
        response: { 200: shape.PostValidated },
      },
      config: { scope: 'read', rate: 'validate', failure: 'validate_failed', problems: validateProblems },
    },
    ({ who, body, query }) => validateNewPost(app, who, body, query),
  );

  server.put(
    '/update-post/:postGroupId',
    {
      preValidation: requireChange,
      schema: {
        operationId: 'updatePost',
        summary: 'Change a draft or scheduled post',
        description:
          'Changes the fields in the body and leaves the others unchanged. A scheduled post is validated again; ' +
          'if it is not valid, nothing changes.',
        tags,
        example: examples.updatePost,
        headers: IdempotencyHeader,
        params: shape.PostGroupPath,
        body: shape.UpdatePost,
        response: { 200: shape.PostUpdated },
      },
      config: {
        failure: 'post_update_failed',
        problems: [...editProblems, ...scheduleProblems, ...retryProblems],
      },
    },
    async (request, reply) => {
      const { who, body } = request;
      const id = request.params.postGroupId.toLowerCase();
      const answer = await once<StoredEdit>(app, retryable(request, `update-post ${id}`), (claimedKey) =>
        updatePostGroup(app, who, id, body, claimedKey, () => reply.raw.destroyed),
      );
      return wholeAnswer(app.db, who.userId, answer, body);
    },
  );

  server.get(
    '/get-post/:postGroupId',
    {
      schema: {
        operationId: 'getPost',
        summary: 'Read a post',
        description: 'Returns the post group, the status of each platform post, and the files.',
        tags,
        example: examples.getPost,
        params: shape.AnyPostGroupPath,
        response: { 200: shape.PostGroup },
      },
      config: { failure: 'post_group_unreadable', problems: ['post_group_not_found'] },
    },
    ({ who, params }) => {
      // The contract requires a 500 for a malformed id, on this route only.
      if (!isId(params.postGroupId)) throw new Problem('post_group_unreadable');
      return getPostGroup(app, who, params.postGroupId.toLowerCase());
    },
  );

  server.get(
    '/dashboard/posts/:postGroupId',
    {
      schema: {
        operationId: 'getEditablePost',
        summary: 'Read a post to edit it',
        description: 'Returns the fields that `update-post` can change, and the version to send with it.',
        tags,
        example: examples.getEditablePost,
        params: shape.PostGroupPath,
        response: { 200: shape.EditablePost },
      },
      config: { failure: 'post_group_unreadable', problems: ['post_group_not_found', 'post_group_id_invalid'] },
    },
    ({ who, params }) => getEditablePost(app, who, params.postGroupId.toLowerCase()),
  );

  server.get(
    '/list-posts',
    {
      schema: {
        operationId: 'listPosts',
        summary: 'List posts',
        description:
          'Returns one page of post groups, newest first. Read the next page while `pagination.hasNextPage` is true. For a calendar, use `fields=compact&limit=1000` with `from` and `to`. `q` searches the texts.',
        tags,
        example: examples.listPosts,
        querystring: shape.ListPosts,
        response: { 200: shape.PostList },
      },
      config: {
        failure: 'list_failed',
        problems: [
          'list_status_invalid',
          'list_sort_invalid',
          'from_date_invalid',
          'to_date_invalid',
          'list_from_invalid',
          'list_to_invalid',
          'list_channel_invalid',
          'list_cursor_invalid',
          'list_search_invalid',
          'list_label_invalid',
          'list_fields_invalid',
          'list_brands_invalid',
        ],
      },
    },
    (request, reply) => {
      const { who, query } = request;
      request.inputWarnings = [...(request.inputWarnings ?? []), ...limitWarnings(query)];
      const list = () => listPostGroups(app, who, query);
      return query.brands ? listBrandsInTurn(who.ownerId, reply, list) : list();
    },
  );

  server.get(
    '/post-logs/:postGroupId',
    {
      schema: {
        operationId: 'getPostLogs',
        summary: 'Read the log of a post',
        description: 'Lists the events of the post group in the last 90 days: the latest 100, oldest first.',
        tags,
        example: examples.getPostLogs,
        params: shape.PostGroupPath,
        querystring: shape.PostLogsQuery,
        response: { 200: shape.PostLogs },
      },
      config: { failure: 'post_logs_failed', problems: ['post_group_not_found', 'post_group_id_invalid'] },
    },
    ({ who, params, query }) => listPostLogs(app, who, params.postGroupId.toLowerCase(), query.page),
  );

  server.delete(
    '/delete-post/:postGroupId',
    {
      schema: {
        operationId: 'deletePost',
        summary: 'Delete a post',
        description:
          'Deletes the post group and its files, in any status. Posts that are already published stay on their platforms.',
        tags,
        example: examples.deletePost,
        params: shape.PostGroupPath,
        response: { 200: Success },
      },
      config: { failure: 'post_delete_failed', problems: ['post_group_not_found', 'post_group_id_invalid'] },
    },
    ({ who, params }) => deletePostGroup(app, who, params.postGroupId.toLowerCase()),
  );
}

/** Runs before validation, because missing content is reported first and depends on more than its own field. */
async function requireContent({ body }: FastifyRequest) {
  if (lacksContent(body)) throw new Problem('content_required');
}

async function requireChange({ body }: FastifyRequest) {
  const fields = Object.keys(shape.UpdatePost.shape);
  const sent = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const isGiven = (name: string, value: unknown) =>
    name !== 'version' && ((name !== 'status' && name !== 'scheduledTime') || Boolean(value));
  if (!sent.some(([name, value]) => fields.includes(name) && isGiven(name, value))) throw new Problem('update_empty');
}
