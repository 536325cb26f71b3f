import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { connectionId } from '../../../foundation/http/shapes.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { requireBrand } from '../../users/brands.ts';
import { connectionAvatar } from './avatar.ts';

export const image = z
  .string()
  .meta({ format: 'binary' })
  .describe('A WebP of 128 × 128 pixels. With `If-None-Match` the response may be 304.');

export function avatarRoutes(server: Server, app: App) {
  server.get(
    '/connections/:platformId/avatar',
    {
      schema: {
        operationId: 'getConnectionAvatar',
        summary: 'Get the profile picture of an account',
        description:
          'Returns a small copy of the profile picture, so that pages do not have to load it from the network.',
        tags: ['Connections'],
        example: { response: '(bytes)' },
        produces: ['image/webp'],
        params: z.object({ platformId: connectionId }),
        querystring: z.object({
          userId: z
            .string()
            .toLowerCase()
            .refine(isId, 'invalid_service_user_id')
            .optional()
            .describe('Like the header `x-service-user-id`, which a browser does not send for a picture.'),
        }),
        response: { 200: image },
      },
      config: {
        problems: ['platform_id_unreadable', 'connection_not_found', 'avatar_missing', 'avatar_unavailable'],
      },
    },
    async ({ who, params, query, headers }, reply) => {
      const { userId = who.userId } = query;
      await requireBrand(app.db, who, userId, app.clock.now());
      const image = await connectionAvatar(app, { ...who, userId }, params.platformId);
      return sendImage(image, headers['if-none-match'], reply);
    },
  );
}

export function sendImage(bytes: Buffer, known: string | undefined, reply: FastifyReply) {
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  reply.headers({ 'cache-control': 'private, max-age=86400', etag });
  if (known?.includes(etag)) return reply.code(304).send();
  return reply.type('image/webp').send(bytes);
}
