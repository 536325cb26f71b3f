import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { userActor } from '../../audit/actors.ts';
import { Message } from '../../users/schema.ts';
import { requireSession } from '../access/session.ts';
import * as examples from '../sign-in/examples.ts';
import * as shape from './schema.ts';
import { endSession, endSessions, listSessions } from './sessions.ts';

/** The sessions of the signed-in user. */
export function sessionListRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireSession(app);

  server.get(
    '/auth/sessions',
    {
      onRequest,
      schema: {
        operationId: 'listSessions',
        summary: 'List sessions',
        description: "Lists the user's sessions. A session ends after a week without use, and after 30 days at most.",
        tags,
        example: examples.listSessions,
        response: { 200: shape.Sessions },
      },
    },
    async ({ session: { userId, sessionId } }) => ({
      sessions: (await listSessions(app, userId)).map((row) => shape.presentSession(row, sessionId)),
    }),
  );

  server.delete(
    '/auth/sessions/:sessionId',
    {
      onRequest,
      schema: {
        operationId: 'deleteSession',
        summary: 'End a session',
        description: 'Signs out one device, which may be this one.',
        tags,
        example: examples.deleteSession,
        params: shape.SessionParams,
        response: { 200: Message },
      },
      config: { problems: ['session_not_found'], whileLeaving: true },
    },
    async (request) => {
      const { userId } = request.session;
      await endSession(app, userId, request.params.sessionId, userActor(userId, request));
      return { message: 'Session ended successfully' };
    },
  );

  server.delete(
    '/auth/sessions',
    {
      onRequest,
      schema: {
        operationId: 'deleteOtherSessions',
        summary: 'End all other sessions',
        description: 'Signs out every device except this one.',
        tags,
        example: examples.deleteOtherSessions,
        response: { 200: shape.EndedSessions },
      },
      config: { whileLeaving: true },
    },
    async (request) => {
      const { userId, sessionId } = request.session;
      const ended = await endSessions(app, app.db, userId, sessionId, userActor(userId, request));
      return { message: 'All other sessions ended successfully', ended };
    },
  );
}
