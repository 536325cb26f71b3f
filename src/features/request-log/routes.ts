import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { userActor } from '../audit/actors.ts';
import { requireSession } from '../auth/access/session.ts';
import { inLiveSession } from '../auth/sessions/sessions.ts';
import { bodiesUntil, type FlushCalls, listCalls, readCall, storeBodies } from './request-log.ts';
import * as shape from './schema.ts';

export function requestLogRoutes(server: Server, app: App, flushCalls: FlushCalls) {
  const tags = ['Dashboard'];
  const onRequest = requireSession(app);

  server.get(
    '/dashboard/requests',
    {
      onRequest,
      schema: {
        operationId: 'listRequests',
        summary: 'List recent API calls',
        description:
          'Lists the last 1,000 calls with your keys and those of the users you manage, newest first. With several API processes, a call appears after about a second. Bodies are stored only after `PUT /dashboard/requests/bodies`.',
        tags,
        example: shape.listRequests,
        querystring: shape.ListRequests,
        response: { 200: shape.RequestList },
      },
    },
    async ({ session, query }) => {
      await flushCalls();
      const { page, limit } = query;
      const { calls, ...found } = await listCalls(app, session.userId, { ...shape.filterOf(query), page, limit });
      return {
        requests: calls.map(shape.presentCall),
        keys: found.keys,
        paths: found.paths,
        bodiesUntil: (await bodiesUntil(app, session.userId))?.toISOString() ?? null,
        pagination: found.pagination,
      };
    },
  );

  server.get(
    '/dashboard/requests/:callId',
    {
      onRequest,
      schema: {
        operationId: 'getRequest',
        summary: 'Read a recent API call',
        description:
          'Returns one of the calls that `GET /dashboard/requests` lists, with headers and the explanation of its error. Credentials and cookies are not stored, and bodies only on request. Only the account whose key made the call sees its bodies.',
        tags,
        example: shape.getRequest,
        params: shape.RequestParams,
        response: { 200: shape.RequestDetails },
      },
      config: { problems: ['logged_request_not_found'] },
    },
    async ({ session, params }) => ({
      request: shape.presentDetails(await readCall(app, session.userId, params.callId)),
    }),
  );

  for (const isOn of [true, false]) {
    server.route({
      method: isOn ? 'PUT' : 'DELETE',
      url: '/dashboard/requests/bodies',
      onRequest,
      schema: {
        operationId: isOn ? 'storeRequestBodies' : 'stopRequestBodies',
        summary: isOn ? 'Store bodies of API calls for one hour' : 'Stop storing bodies of API calls',
        description: isOn
          ? 'Stores the bodies of calls with your own keys for one hour from now, without secrets. Each body is cut after 64 kB, at most 10 MB are stored, and everything is deleted after a day.'
          : 'Bodies that are already stored are deleted a day after their calls.',
        tags,
        example: isOn ? shape.storeRequestBodies : shape.stopRequestBodies,
        response: { 200: shape.StoredBodies },
      },
      handler: async (request) => {
        const { session } = request;
        const until = await inLiveSession(app, session, (tx) =>
          storeBodies(app, tx, session.userId, isOn, userActor(session.userId, request)),
        );
        return { bodiesUntil: until?.toISOString() ?? null };
      },
    });
  }
}
