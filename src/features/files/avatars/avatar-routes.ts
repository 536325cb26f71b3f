import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { connectionId } from '../../../foundation/http/shapes.ts';
import { connectionAvatar } from './avatar.ts';

const image = z
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
        description: 'A small copy of the profile picture, so that pages do not load it from the network.',
        tags: ['Connections'],
        example: { response: '(bytes)' },
        produces: ['image/webp'],
        params: z.object({ platformId: connectionId }),
        response: { 200: image },
      },
      config: {
        problems: ['platform_id_unreadable', 'connection_not_found', 'avatar_missing', 'avatar_unavailable'],
      },
    },
    async ({ who, params, headers }, reply) =>
      sendImage(await connectionAvatar(app, who, params.platformId), headers['if-none-match'], reply),
  );
}

function sendImage(bytes: Buffer, known: string | undefined, reply: FastifyReply) {
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  reply.headers({ 'cache-control': 'private, max-age=86400', etag });
  if (known?.includes(etag)) return reply.code(304).send();
  return reply.type('image/webp').send(bytes);
}
