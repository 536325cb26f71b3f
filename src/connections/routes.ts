import type { App } from '../app.ts';
import type { Server } from '../http/frame.ts';
import { platformLimits } from './platform-limits.ts';
import { PlatformLimits } from './platform-limits-schema.ts';

const tags = ['Connections'];

export function connectionRoutes(server: Server, _app: App) {
  server.get(
    '/platform-limits',
    {
      schema: {
        operationId: 'platformLimits',
        summary: 'Read what each platform allows: text, images, video, documents',
        tags,
        response: { 200: PlatformLimits },
      },
    },
    () => platformLimits(),
  );
}
