import type { onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { Success } from '../../../foundation/http/shapes.ts';
import { ManagedUserPath } from '../../accounts/workspace/schema.ts';
import { credentialOf } from '../../auth/api-keys/live-credential.ts';
import { image, sendImage } from './avatar-routes.ts';
import { brandAvatar, removeBrandAvatar, setBrandAvatar } from './brand-avatar.ts';

const SetAvatar = z.object({
  image: z
    .string({ error: 'brand_avatar_invalid' })
    // Four characters for three bytes.
    .max(Math.ceil(accountLimits.brandAvatarBytes / 3) * 4, { error: 'brand_avatar_invalid', abort: true })
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'brand_avatar_invalid')
    .describe('A JPEG, PNG, GIF, WebP or AVIF as Base64. Its centre is shown.'),
});

/** Like the other workspace routes, they act as the owner and ignore x-service-user-id. */
export function brandAvatarRoutes(server: Server, app: App) {
  const tags = ['Workspace'];
  const onRequest: onRequestAsyncHookHandler = async (request) => {
    const { workspaceOwnerId } = request.who;
    if (workspaceOwnerId === null) throw new Problem('workspace_disabled');
    request.workspaceOwnerId = workspaceOwnerId;
  };
  const problems = ['managed_user_id_invalid', 'managed_user_not_found'] as const;

  server.get(
    '/workspace/users/:userId/avatar',
    {
      onRequest,
      schema: {
        operationId: 'getWorkspaceUserAvatar',
        summary: 'Get the picture of a managed user',
        description: 'Returns the picture that was set for this brand.',
        tags,
        example: { response: '(bytes)' },
        produces: ['image/webp'],
        params: ManagedUserPath,
        response: { 200: image },
      },
      config: { scope: 'workspace', problems: ['managed_user_id_invalid', 'brand_avatar_missing'] },
    },
    async ({ workspaceOwnerId: ownerId, params, headers }, reply) =>
      sendImage(await brandAvatar(app, { ownerId, ...params }), headers['if-none-match'], reply),
  );

  server.put(
    '/workspace/users/:userId/avatar',
    {
      onRequest,
      schema: {
        operationId: 'setWorkspaceUserAvatar',
        summary: 'Set the picture of a managed user',
        description: 'The dashboard shows it next to the name of this brand.',
        tags,
        example: { request: { image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' }, response: { success: true } },
        params: ManagedUserPath,
        body: SetAvatar,
        response: { 200: Success },
      },
      config: { scope: 'workspace', problems: [...problems, 'brand_avatar_invalid'] },
    },
    async (request) => {
      const { workspaceOwnerId: ownerId, params, body } = request;
      await setBrandAvatar(app, { ownerId, ...params }, body.image, credentialOf(request));
      return { success: true as const };
    },
  );

  server.delete(
    '/workspace/users/:userId/avatar',
    {
      onRequest,
      schema: {
        operationId: 'deleteWorkspaceUserAvatar',
        summary: 'Remove the picture of a managed user',
        description: 'Does nothing if there is none.',
        tags,
        example: { response: { success: true } },
        params: ManagedUserPath,
        response: { 200: Success },
      },
      config: { scope: 'workspace', problems: [...problems] },
    },
    async ({ workspaceOwnerId: ownerId, params }) => {
      await removeBrandAvatar(app, { ownerId, ...params });
      return { success: true as const };
    },
  );
}
