import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import { looksLikeKey } from '../../features/auth/access/api-key.ts';
import { metadataUrl } from '../../features/auth/oauth/metadata.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { Caller } from './call-route.ts';

/**
 * Checks the key of a request that has one (contract.md#mcp.key-unknown). An invalid key is refused here, so that the
 * client asks for a new one. Every other refusal, such as missing MCP access, is left to the route that a tool calls:
 * an agent sees a tool's result, but not the body of a refused request.
 */
export function checkKey(
  app: Pick<App, 'publicUrl' | 'config'>,
  byKey: onRequestAsyncHookHandler,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const key = keyOf(request);
    if (key === null) return;
    if (!looksLikeKey(key)) throw new Problem('mcp_key_malformed', docs(app));
    request.headers['x-service-key'] = key;
    request.headers['x-service-client'] = 'mcp';
    await byKey.call(request.server, request, reply).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 401) challenge(app, request, reply, 'invalid_token');
      if (error.status === 401 || error.status === 429) throw error;
    });
  };
}

/** Refuses a request without a key, and says where to get one. */
export function refuseAnonymous(
  app: Pick<App, 'publicUrl' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): never {
  challenge(app, request, reply);
  throw new Problem('mcp_key_required', docs(app));
}

export function callerOf(request: FastifyRequest): Caller | null {
  const key = keyOf(request);
  const actAs = request.headers['x-service-user-id'];
  if (key === null) return null;
  const counted = { messages: 0 };
  return {
    key,
    actAs: typeof actAs === 'string' ? actAs : null,
    ip: request.ip,
    requestId: request.id,
    countRead() {
      counted.messages += 1;
      return request.countRate('read');
    },
    counted,
    answered: { bytes: 0 },
  };
}

/** `Authorization: Bearer <key>`, or the header of the REST API. */
function keyOf({ headers }: FastifyRequest): string | null {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const key = bearer ?? headers['x-service-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

const docs = ({ publicUrl }: Pick<App, 'publicUrl' | 'config'>) => ({ docs: `${publicUrl}/docs` });

/** Points an OAuth client to the instructions for getting access (RFC 9728). */
function challenge(
  app: Pick<App, 'publicUrl' | 'config'>,
  { url }: FastifyRequest,
  reply: FastifyReply,
  error?: string,
) {
  if (app.config.mcpAuth !== 'oauth') return;
  const path = url.startsWith('/mcp') ? '/mcp' : '';
  const reason = error ? `error="${error}", ` : '';
  reply.header('www-authenticate', `Bearer ${reason}resource_metadata="${metadataUrl(app, path)}"`);
}
