import type { App } from '../../app.ts';
import { documentNames, documentPath } from '../../foundation/http/openapi/parts.ts';
import type { Server } from '../../foundation/http/server.ts';
import { compressed } from './compressed.ts';
import { landingPage } from './landing-page.ts';
import { llmsFullText } from './llms-full-text.ts';
import { llmsText } from './llms-text.ts';
import { referenceRoutes } from './reference/routes.ts';

/** The API reference at `/docs`, the OpenAPI documents, and the texts for agents. */
export function documentRoutes(server: Server, app: App) {
  const { publicUrl } = app;
  const quiet = { schema: { hide: true }, config: { quiet: true } };
  const text = { type: 'text/plain; charset=utf-8' };
  for (const name of documentNames) {
    server.get(
      documentPath(name),
      quiet,
      compressed(async () => JSON.stringify(await server.openapi(name)), { type: 'application/json; charset=utf-8' }),
    );
  }
  server.get(
    '/llms.txt',
    quiet,
    compressed(() => llmsText(publicUrl), text),
  );
  server.get(
    '/llms-full.txt',
    quiet,
    compressed(async () => llmsFullText(publicUrl, await server.openapi('all')), text),
  );
  referenceRoutes(server, app);
}

/** The front page of a service without a dashboard. */
export function landingRoutes(server: Server, { sandboxUrl, publicUrl }: App) {
  server.get('/', { schema: { hide: true }, config: { quiet: true } }, (_, reply) =>
    reply.type('text/html; charset=utf-8').send(landingPage(publicUrl, sandboxUrl)),
  );
}
