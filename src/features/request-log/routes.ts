import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { requireSession } from '../auth/access/session.ts';
import { listCalls } from './request-log.ts';
import { ListRequests, listRequests, presentCall, RequestList } from './schema.ts';

export function requestLogRoutes(server: Server, app: App) {
  server.get(
    '/dashboard/requests',
    {
      onRequest: requireSession(app),
      schema: {
        operationId: 'listRequests',
        summary: 'List recent API calls',
        description:
          'The last 1,000 calls with your keys and those of the users you manage, newest first. Calls appear about a second ' +
          'after they are made. Bodies and headers are not stored.',
        tags: ['Dashboard'],
        example: listRequests,
        querystring: ListRequests,
        response: { 200: RequestList },
      },
    },
    async ({ session, query }) => {
      const { calls, pagination } = await listCalls(app, session.userId, query);
      return { requests: calls.map(presentCall), pagination };
    },
  );
}
