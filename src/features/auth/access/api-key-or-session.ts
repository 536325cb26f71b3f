import type { onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../../app.ts';
import type { Common } from '../../../foundation/http/openapi/openapi.ts';
import { apiKeyAccess, managedUserHeader, whoIsSignedIn } from './api-key.ts';
import { hasSessionToken, requireSession, sessionAccess } from './session.ts';

/** The errors of every route that accepts a key or a session. */
export const keyOrSessionAccess: Common = {
  ...apiKeyAccess,
  security: [...apiKeyAccess.security, ...sessionAccess.security],
  problems: [...apiKeyAccess.problems, ...sessionAccess.problems],
};

/**
 * Requires a key or, if the request has none, a session, which has the same permissions as a key of that user. A
 * rejected key never falls back to the session.
 */
export function requireKeyOrSession(
  app: Pick<App, 'db' | 'clock' | 'publicUrl'>,
  byKey: onRequestAsyncHookHandler,
  bySession: onRequestAsyncHookHandler,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const isBySession = !request.headers['x-service-key'] && hasSessionToken(app, request);
    if (!isBySession) return byKey.call(request.server, request, reply);
    await bySession.call(request.server, request, reply);
    request.who = await whoIsSignedIn(app, app.db, request);
  };
}

/** The errors and headers of routes for sessions that can act for a managed user. */
export const actingSessionAccess: Common = {
  ...sessionAccess,
  problems: [...sessionAccess.problems, 'invalid_service_user_id', 'user_not_managed', 'workspace_disabled'],
  headers: managedUserHeader,
};

/** Requires a session. `request.who` is the managed user named in `x-service-user-id`, otherwise the user who is signed in. */
export function requireActingSession(app: Parameters<typeof requireSession>[0]): onRequestAsyncHookHandler {
  const bySession = requireSession(app);
  return async (request, reply) => {
    await bySession.call(request.server, request, reply);
    request.who = await whoIsSignedIn(app, app.db, request);
  };
}
