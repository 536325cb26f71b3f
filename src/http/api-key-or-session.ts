import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { apiKeyAccess } from './auth.ts';
import type { Common } from './openapi.ts';
import { sessionAccess } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is, where a key and a session are both good. */
    actor: { readonly userId: string };
  }
}

export const keyOrSessionAccess: Common = {
  ...apiKeyAccess,
  security: [...apiKeyAccess.security, ...sessionAccess.security],
  problems: [...apiKeyAccess.problems, ...sessionAccess.problems],
};

/** Lets in requests with a key, or without one but with a session. Never tries the one where the other was refused. */
export function requireKeyOrSession(
  byKey: onRequestAsyncHookHandler,
  bySession: onRequestAsyncHookHandler,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const isSession = bringsSession(request);
    await (isSession ? bySession : byKey).call(request.server, request, reply);
    request.actor = isSession ? request.session : request.who;
  };
}

const bringsSession = ({ headers }: FastifyRequest) =>
  !headers['x-service-key'] && (headers.authorization !== undefined || headers.cookie !== undefined);
