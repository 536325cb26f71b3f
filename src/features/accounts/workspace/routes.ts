import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { Success } from '../../../foundation/http/shapes.ts';
import * as examples from '../../users/examples.ts';
import { attachUser } from './attach-user.ts';
import { byOwner } from './membership-audit.ts';
import * as shape from './schema.ts';
import {
  changeManagedUser,
  connectionLinkOf,
  createManagedUser,
  detachUser,
  listManagedUsers,
  replaceManagedUserKey,
  revokeConnectionLink,
} from './workspace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the workspace, set on workspace routes. */
    workspaceOwnerId: string;
  }
}

/** For the audit logs of both sides. */
const actorsOf = (request: FastifyRequest) => byOwner(request, request.workspaceOwnerId);

/** A link can do more than a restricted key, and outlives it. */
const maySeeLinks = ({ keyHolder }: FastifyRequest) => !keyHolder?.isLimited;

const tags = ['Workspace'];

/** Routes with which an owner manages users. All of them act as the user of the key and ignore x-service-user-id. */
export function workspaceRoutes(server: Server, app: App): void {
  const onRequest: onRequestAsyncHookHandler = async (request) => {
    const { workspaceOwnerId } = request.who;
    if (workspaceOwnerId === null) throw new Problem('workspace_disabled');
    request.workspaceOwnerId = workspaceOwnerId;
  };
  memberRoutes(server, app, onRequest);
  accessRoutes(server, app, onRequest);
}

function memberRoutes(server: Server, app: App, onRequest: onRequestAsyncHookHandler) {
  server.get(
    '/workspace/users',
    {
      onRequest,
      schema: {
        operationId: 'listWorkspaceUsers',
        summary: 'List managed users',
        description: 'Lists the users that the key owner manages.',
        tags,
        example: examples.listWorkspaceUsers,
        response: { 200: shape.ManagedUsers },
      },
      config: { scope: 'workspace' },
    },
    async (request) => {
      const users = await listManagedUsers(app, request.workspaceOwnerId);
      return { users: users.map((user) => shape.presentManagedUser(app, user, maySeeLinks(request))) };
    },
  );

  server.post(
    '/workspace/users',
    {
      onRequest,
      schema: {
        operationId: 'createWorkspaceUser',
        summary: 'Create a managed user',
        description:
          'The user has no password. To act for the user, send `x-service-user-id` or create a key for them.',
        tags,
        example: examples.createWorkspaceUser,
        body: shape.CreateManagedUser,
        response: { 201: shape.ManagedUserCreated },
      },
      config: {
        scope: 'workspace',
        problems: [
          'workspace_email_required',
          'workspace_email_invalid',
          'display_name_invalid',
          'managed_user_limit_reached',
          'email_exists',
        ],
      },
    },
    async (request, reply) => {
      const { workspaceOwnerId, body } = request;
      const user = await createManagedUser(app, workspaceOwnerId, body, actorsOf(request));
      return reply.code(201).send({ user: shape.presentManagedUser(app, user, maySeeLinks(request)) });
    },
  );

  server.post(
    '/workspace/users/attach',
    {
      onRequest,
      schema: {
        operationId: 'attachWorkspaceUser',
        summary: 'Add an existing user to the workspace',
        description:
          'Requires an attach token from the user as proof of consent, unless the user already belongs to the workspace.',
        tags,
        example: examples.attachWorkspaceUser,
        headers: shape.AttachHeaders,
        body: shape.AttachUser,
        response: { 200: shape.UserAttached },
      },
      config: {
        scope: 'workspace',
        problems: [
          'attach_identifier_missing',
          'workspace_email_invalid',
          'attach_user_id_invalid',
          'attach_identifier_mismatch',
          'attach_self',
          'attach_consent_required',
          'attach_consent_invalid',
          'attach_consent_mismatch',
          'managed_user_limit_reached',
          'channel_limit_reached',
          'attach_user_not_found',
          'attach_user_inactive',
          'account_on_hold',
          'attach_workspace_owner',
          'attach_other_workspace',
          'attach_active_subscription',
        ],
      },
    },
    async (request) => {
      const wanted = shape.attachmentOf(request.body, request.headers['x-service-user-token']);
      const { user, alreadyInWorkspace } = await attachUser(app, request.workspaceOwnerId, wanted, actorsOf(request));
      const { isActive } = user;
      return { user: { ...shape.presentManagedUser(app, user, maySeeLinks(request)), isActive }, alreadyInWorkspace };
    },
  );

  server.patch(
    '/workspace/users/:userId',
    {
      onRequest,
      schema: {
        operationId: 'updateWorkspaceUser',
        summary: 'Change a managed user',
        description: 'Changes the name and the colour of a brand.',
        tags,
        example: examples.updateWorkspaceUser,
        params: shape.ManagedUserPath,
        body: shape.ChangeManagedUser,
        response: { 200: shape.ManagedUserCreated },
      },
      config: {
        scope: 'workspace',
        problems: [
          'managed_user_id_invalid',
          'managed_user_not_found',
          'display_name_invalid',
          'display_name_empty',
          'brand_colour_invalid',
          'profile_empty',
        ],
      },
    },
    async (request) => {
      const { workspaceOwnerId, params, body } = request;
      const user = await changeManagedUser(app, workspaceOwnerId, params.userId, body, actorsOf(request));
      return { user: shape.presentManagedUser(app, user, maySeeLinks(request)) };
    },
  );

  server.delete(
    '/workspace/users/:userId',
    {
      onRequest,
      schema: {
        operationId: 'detachWorkspaceUser',
        summary: 'Remove a user from the workspace',
        description:
          'The user keeps the account, on the default plan, and earlier keys and passkeys. Keys, passkeys and webhooks created in ' +
          'the workspace, the connection link, unused upload URLs and the sessions of the user end.',
        tags,
        example: examples.detachWorkspaceUser,
        params: shape.ManagedUserPath,
        response: { 200: Success },
      },
      config: { scope: 'workspace', problems: ['managed_user_id_invalid', 'managed_user_not_found'] },
    },
    async (request) => {
      await detachUser(app, request.workspaceOwnerId, request.params.userId, actorsOf(request));
      return { success: true as const };
    },
  );
}

/** Keys and connection links for managed users. */
function accessRoutes(server: Server, app: App, onRequest: onRequestAsyncHookHandler) {
  server.post(
    '/workspace/users/:userId/api-key',
    {
      onRequest,
      schema: {
        operationId: 'generateWorkspaceUserApiKey',
        summary: 'Replace the current API key of a managed user',
        description:
          'Replaces the current key, which stops working. Only this response contains the new one. Requires a key without limits (scopes, expiry or allowed addresses), because the new key has none.',
        tags,
        example: examples.generateWorkspaceUserApiKey,
        params: shape.ManagedUserPath,
        response: { 200: shape.ManagedUserKey },
      },
      config: {
        scope: 'workspace',
        problems: ['managed_user_id_invalid', 'managed_user_not_found', 'owner_without_api', 'api_key_limited'],
      },
    },
    async (request) => {
      const { userId } = request.params;
      // The new key has all permissions of its user, so a restricted key must not create it.
      if (request.keyHolder?.isLimited) throw new Problem('api_key_limited');
      const apiKey = await replaceManagedUserKey(app, request.workspaceOwnerId, userId, actorsOf(request));
      return { message: 'API key generated successfully', apiKey, userId };
    },
  );

  server.post(
    '/workspace/users/:userId/connection-url',
    {
      onRequest,
      schema: {
        operationId: 'getConnectionUrl',
        summary: 'Get a connection link for a managed user',
        description:
          'Returns the URL of a page where the user can connect accounts without signing in. If there is a valid link, it is returned again unless `rotate` is true. Requires a key without limits (scopes, expiry or allowed addresses), because the link has none.',
        tags,
        example: examples.getConnectionUrl,
        params: shape.ManagedUserPath,
        body: shape.NewConnectionUrl.nullish(),
        response: { 200: shape.ConnectionUrl },
      },
      config: {
        scope: 'workspace',
        problems: [
          'managed_user_id_invalid',
          'managed_user_not_found',
          'link_days_invalid',
          'link_rotate_invalid',
          'api_key_limited',
        ],
      },
    },
    async (request) => {
      if (!maySeeLinks(request)) {
        const error = 'This API key is restricted, so it cannot get connection links of managed users';
        throw new Problem('api_key_limited', { error });
      }
      const wanted = request.body ?? shape.NewConnectionUrl.parse({});
      const { userId } = request.params;
      return shape.presentLink(
        await connectionLinkOf(app, request.workspaceOwnerId, userId, wanted, actorsOf(request)),
      );
    },
  );

  server.delete(
    '/workspace/users/:userId/connection-url',
    {
      onRequest,
      schema: {
        operationId: 'revokeConnectionUrl',
        summary: 'Revoke the connection link of a managed user',
        description: 'If there is a link, it stops working immediately.',
        tags,
        example: examples.revokeConnectionUrl,
        params: shape.ManagedUserPath,
        response: { 200: Success },
      },
      config: { scope: 'workspace', problems: ['managed_user_id_invalid', 'managed_user_not_found'] },
    },
    async (request) => {
      await revokeConnectionLink(app, request.workspaceOwnerId, request.params.userId, actorsOf(request));
      return { success: true as const };
    },
  );
}
