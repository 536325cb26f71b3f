import type { onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../app.ts';
import type { Server } from '../http/fastify.ts';
import { attachUser } from './attach-user.ts';
import {
  connectionLinkOf,
  createManagedUser,
  detachUser,
  listManagedUsers,
  replaceManagedUserKey,
  workspaceOwnerOf,
} from './workspace.ts';
import * as shape from './workspace-schema.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** On the routes of a workspace: whose it is. */
    workspaceOwnerId: string;
  }
}

const tags = ['Workspace'];

/** How an owner manages users. All act as the user whose key it is: x-service-user-id changes nothing here. */
export function workspaceRoutes(server: Server, app: App): void {
  const onRequest: onRequestAsyncHookHandler = async (request) => {
    request.workspaceOwnerId = await workspaceOwnerOf(app, String(request.headers['x-service-key']));
  };
  memberRoutes(server, app, onRequest);
  accessRoutes(server, app, onRequest);
}

/** Who is in the workspace. */
function memberRoutes(server: Server, app: App, onRequest: onRequestAsyncHookHandler) {
  server.get(
    '/workspace/users',
    {
      onRequest,
      schema: {
        operationId: 'listManagedUsers',
        summary: 'List managed users',
        tags,
        response: { 200: shape.ManagedUsers },
      },
    },
    async ({ workspaceOwnerId }) => {
      const users = await listManagedUsers(app, workspaceOwnerId);
      return { users: users.map((user) => shape.presentManagedUser(app, user)) };
    },
  );

  server.post(
    '/workspace/users',
    {
      onRequest,
      schema: {
        operationId: 'createManagedUser',
        summary: 'Create a managed user',
        description: 'It has no password: act for it with `x-service-user-id`, or make a key for it.',
        tags,
        body: shape.CreateManagedUser,
        response: { 201: shape.ManagedUserCreated },
      },
      config: {
        problems: ['workspace_email_required', 'workspace_email_invalid', 'display_name_invalid', 'email_exists'],
      },
    },
    async ({ workspaceOwnerId, body }, reply) => {
      const user = await createManagedUser(app, workspaceOwnerId, body);
      return reply.code(201).send({ user: shape.presentManagedUser(app, user) });
    },
  );

  server.post(
    '/workspace/users/attach',
    {
      onRequest,
      schema: {
        operationId: 'attachUser',
        summary: 'Take an existing user into the workspace',
        description: 'Needs an access token of that user, unless it is in the workspace already.',
        tags,
        headers: shape.AttachHeaders,
        body: shape.AttachUser,
        response: { 200: shape.UserAttached },
      },
      config: {
        problems: [
          'attach_identifier_missing',
          'workspace_email_invalid',
          'attach_user_id_invalid',
          'attach_identifier_mismatch',
          'attach_self',
          'attach_consent_required',
          'attach_consent_invalid',
          'attach_consent_mismatch',
          'channel_limit_reached',
          'attach_user_not_found',
          'attach_user_inactive',
          'attach_workspace_owner',
          'attach_other_workspace',
          'attach_active_subscription',
        ],
      },
    },
    async ({ workspaceOwnerId, body, headers }) => {
      const wanted = shape.attachmentOf(body, headers['x-service-user-token']);
      const { user, alreadyInWorkspace } = await attachUser(app, workspaceOwnerId, wanted);
      const { isActive } = user;
      return { user: { ...shape.presentManagedUser(app, user), isActive }, alreadyInWorkspace };
    },
  );

  server.delete(
    '/workspace/users/:userId',
    {
      onRequest,
      schema: {
        operationId: 'detachUser',
        summary: 'Let a user go',
        description:
          'It keeps its account, on the standard plan, and the keys it made at the dashboard. Its current key, its ' +
          'connection link and its sessions end.',
        tags,
        params: shape.ManagedUserPath,
        response: { 200: shape.UserDetached },
      },
      config: { problems: ['managed_user_id_invalid', 'managed_user_not_found'] },
    },
    async ({ workspaceOwnerId, params }) => {
      await detachUser(app, workspaceOwnerId, params.userId);
      return { success: true as const };
    },
  );
}

/** How a managed user, or its client, gets in. */
function accessRoutes(server: Server, app: App, onRequest: onRequestAsyncHookHandler) {
  server.post(
    '/workspace/users/:userId/api-key',
    {
      onRequest,
      schema: {
        operationId: 'generateManagedUserApiKey',
        summary: 'Replace the current API key of a managed user',
        description: 'The key before it stops working. The raw key is in this answer and never again.',
        tags,
        params: shape.ManagedUserPath,
        response: { 200: shape.ManagedUserKey },
      },
      config: { problems: ['managed_user_id_invalid', 'managed_user_not_found', 'owner_without_api'] },
    },
    async ({ workspaceOwnerId, params: { userId } }) => {
      const apiKey = await replaceManagedUserKey(app, workspaceOwnerId, userId);
      return { message: 'API key generated successfully', apiKey, userId };
    },
  );

  server.post(
    '/workspace/users/:userId/connection-url',
    {
      onRequest,
      schema: {
        operationId: 'getConnectionUrl',
        summary: 'Get a link by which the accounts of a managed user can be connected',
        tags,
        params: shape.ManagedUserPath,
        body: shape.NewConnectionUrl.nullish(),
        response: { 200: shape.ConnectionUrl },
      },
      config: {
        problems: ['managed_user_id_invalid', 'managed_user_not_found', 'link_days_invalid', 'link_rotate_invalid'],
      },
    },
    async ({ workspaceOwnerId, params, body }) => {
      const wanted = body ?? shape.NewConnectionUrl.parse({});
      return shape.presentLink(await connectionLinkOf(app, workspaceOwnerId, params.userId, wanted));
    },
  );
}
