import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { readAuditLog } from '../../audit/audit-log.ts';
import { requireActingSession } from '../../auth/access/api-key-or-session.ts';
import { requireSession } from '../../auth/access/session.ts';
import { listAuditLog } from './examples.ts';
import { AuditLog, AuditQuery, presentEntry } from './schema.ts';

export function auditRoutes(server: Server, app: App): void {
  const [bySession, byActingSession] = [requireSession(app), requireActingSession(app)];
  server.get(
    '/auth/audit-log',
    {
      // People can read their own log also when the owner of their workspace is deactivated.
      async onRequest(request, reply) {
        const require = request.headers['x-service-user-id'] === undefined ? bySession : byActingSession;
        await require.call(server, request, reply);
      },
      schema: {
        operationId: 'listAuditLog',
        summary: 'Read the audit log',
        description:
          'Lists security events of your account, newest first: sign-ins, API keys, connections, ' +
          'webhooks, workspace members and changes by the operator. Entries are kept for a year. With ' +
          '`x-service-user-id`, lists what you did for that managed user.',
        tags: ['Account'],
        example: listAuditLog,
        querystring: AuditQuery,
        response: { 200: AuditLog },
      },
      config: { problems: ['audit_before_invalid', 'audit_limit_invalid'] },
    },
    async ({ session, who, query }) => {
      const userId = who?.userId ?? session.userId;
      const ownerId = userId === session.userId ? null : session.userId;
      const { entries, nextBefore } = await readAuditLog(app, userId, { ...query, ownerId });
      return { entries: entries.map(presentEntry), nextBefore };
    },
  );
}
