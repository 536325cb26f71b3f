import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { Success } from '../../../foundation/http/shapes.ts';
import { userActor } from '../../audit/actors.ts';
import { requireSession } from '../../auth/access/session.ts';
import * as examples from '../../users/examples.ts';
import { Message } from '../../users/schema.ts';
import { createAttachToken } from './attach-token.ts';
import { byMember } from './membership-audit.ts';
import { AttachToken } from './schema.ts';
import { leaveWorkspace, setUpWorkspace } from './workspace.ts';

const tags = ['Workspace'];

/** Routes with which users set up a workspace or manage their own membership. */
export function workspaceMemberRoutes(server: Server, app: App): void {
  const onRequest = requireSession(app);

  server.post(
    '/auth/workspace',
    {
      onRequest,
      schema: {
        operationId: 'setUpWorkspace',
        summary: 'Set up a workspace',
        description: 'Lets you manage users: clients or brands that you post for. The plan must include it.',
        tags,
        example: examples.setUpWorkspace,
        response: { 200: Success },
      },
      config: { problems: ['workspace_not_included'] },
    },
    async (request) => {
      const { userId } = request.session;
      await setUpWorkspace(app, userId, userActor(userId, request));
      return { success: true as const };
    },
  );

  server.post(
    '/auth/attach-token',
    {
      onRequest,
      schema: {
        operationId: 'createAttachToken',
        summary: 'Create a token to join a workspace',
        description:
          'Give the token to the owner of the workspace, who needs it to add you. It works once, expires after ten minutes, and is good for nothing else. A new token replaces the previous one.',
        tags,
        example: examples.createAttachToken,
        response: { 200: AttachToken },
      },
    },
    async (request) => {
      const { userId } = request.session;
      const { attachToken, expiresAt } = await createAttachToken(app, request.session, userActor(userId, request));
      return { attachToken, expiresAt: expiresAt.toISOString() };
    },
  );

  server.post(
    '/auth/leave-workspace',
    {
      onRequest,
      schema: {
        operationId: 'leaveWorkspace',
        summary: 'Leave the workspace',
        description:
          'You keep your account and your data, on the default plan. API keys, passkeys and webhooks created while you were in the ' +
          'workspace, its connection link, unused upload URLs and all your sessions end.',
        tags,
        example: examples.leaveWorkspace,
        response: { 200: Message },
      },
      config: { problems: ['not_in_workspace'] },
    },
    async (request) => {
      const { userId } = request.session;
      await leaveWorkspace(app, userId, byMember(userId, request));
      return { message: 'You have left the workspace. Sign in again.' };
    },
  );
}
