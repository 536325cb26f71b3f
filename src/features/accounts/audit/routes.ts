import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { readAuditLog } from '../../audit/audit-log.ts';
import { requireSession } from '../../auth/access/session.ts';
import { listAuditLog } from './examples.ts';
import { AuditLog, AuditQuery, presentEntry } from './schema.ts';

export function auditRoutes(server: Server, app: App): void {
  server.get(
    '/auth/audit-log',
    {
      onRequest: requireSession(app),
      schema: {
        operationId: 'listAuditLog',
        summary: 'Read the audit log',
        description:
          'Lists security events of your account, newest first: sign-ins, API keys, connections, ' +
          'webhooks, workspace members and changes by the operator. Entries are kept for a year.',
        tags: ['Account'],
        example: listAuditLog,
        querystring: AuditQuery,
        response: { 200: AuditLog },
      },
      config: { problems: ['audit_before_invalid', 'audit_limit_invalid'] },
    },
    async ({ session, query }) => {
      const { entries, nextBefore } = await readAuditLog(app, session.userId, query);
      return { entries: entries.map(presentEntry), nextBefore };
    },
  );
}
