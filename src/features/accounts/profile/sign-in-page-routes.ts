import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { signInPageSettings } from './sign-in-page.ts';
import { DashboardSettings, getDashboardSettings } from './sign-in-page-schema.ts';

export function signInPageRoutes(server: Server, app: App) {
  server.get(
    '/dashboard/settings',
    {
      schema: {
        operationId: 'getDashboardSettings',
        summary: 'Read the settings of the sign-in page',
        description:
          'The response is the same for all callers, with or without credentials. It may be cached for a minute.',
        tags: ['Dashboard'],
        security: [],
        example: getDashboardSettings,
        response: { 200: DashboardSettings },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60');
      return signInPageSettings(app);
    },
  );
}
