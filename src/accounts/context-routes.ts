import type { App } from '../app.ts';
import type { Server } from '../http/fastify.ts';
import { readAccountContext } from './account-context.ts';
import { ContextAnswer, ContextQuery } from './context-schema.ts';

export function contextRoutes(server: Server, app: App): void {
  server.get(
    '/account-context',
    {
      schema: {
        operationId: 'getAccountContext',
        summary: 'Read the plan, its limits and what is used of them',
        tags: ['Account'],
        querystring: ContextQuery,
        response: { 200: ContextAnswer },
      },
      config: { failure: 'account_context_unreadable', problems: ['quota_time_invalid'] },
    },
    async ({ who, query }) => ({ success: true as const, context: await readAccountContext(app, who, query) }),
  );
}
