import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { getAccountContext } from '../../users/examples.ts';
import { readAccountContext } from './account-context.ts';
import { ContextAnswer, ContextQuery } from './schema.ts';

export function contextRoutes(server: Server, app: App): void {
  server.get(
    '/account-context',
    {
      schema: {
        operationId: 'getAccountContext',
        summary: 'Read the plan and its quotas',
        description:
          'Returns the plan, its features and limits, and the current usage. This call does not reserve any quota.',
        tags: ['Account'],
        example: getAccountContext,
        querystring: ContextQuery,
        response: { 200: ContextAnswer },
      },
      config: { failure: 'account_context_unreadable', problems: ['quota_time_invalid'] },
    },
    async ({ who, query }) => ({ success: true as const, context: await readAccountContext(app, who, query) }),
  );
}
