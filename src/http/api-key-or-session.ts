import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { apiKeyAccess } from './auth.ts';
import type { Common } from './openapi.ts';
import { sessionAccess } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the request, on routes that accept a key or a session. */
    actor: { readonly userId: string };
  }
}

export const keyOrSessionAccess: Common = {
  ...apiKeyAccess,
  security: [...apiKeyAccess.security, ...sessionAccess.security],
  problems: [...apiKeyAccess.problems, ...sessionAccess.problems],
};

/** Requires a key, or, if the request has no key, a session. A refused key never falls back on the session. */
export function requireKeyOrSession(
  byKey: onRequestAsyncHookHandler,
  bySession: onRequestAsyncHookHandler,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const isSession = hasSession(request);
    await (isSession ? bySession : byKey).call(request.server, request, reply);
    request.actor = isSession ? request.session : request.who;
  };
}

const hasSession = ({ headers }: FastifyRequest) =>
  !headers['x-service-key'] && (headers.authorization !== undefined || headers.cookie !== undefined);
