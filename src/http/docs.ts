import swaggerUi from '@fastify/swagger-ui';
import type { App } from '../app.ts';
import type { Server } from './fastify.ts';
import { landingPage } from './landing-page.ts';
import { llmsText } from './llms-text.ts';

/** The API reference at `/docs`, the OpenAPI document, `llms.txt`, and the front page. */
export async function documentRoutes(server: Server, { sandboxUrl, publicUrl }: App) {
  const quiet = { schema: { hide: true }, config: { quiet: true } };
  server.get('/api/v1/openapi.json', quiet, () => server.swagger());
  server.get('/llms.txt', quiet, (_, reply) => reply.type('text/plain; charset=utf-8').send(llmsText(publicUrl)));
  server.get('/', quiet, (_, reply) => reply.type('text/html; charset=utf-8').send(landingPage(publicUrl, sandboxUrl)));
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'Crier API' },
    uiConfig: {
      layout: 'BaseLayout',
      // An address such as /docs#/Posts/createPost opens one operation.
      deepLinking: true,
      docExpansion: 'list',
      // Schemas are drawn only when a reader opens their list, and examples without colours: create-post opens faster.
      defaultModelsExpandDepth: 0,
      syntaxHighlight: false,
      filter: true,
      tryItOutEnabled: true,
      persistAuthorization: true,
      displayRequestDuration: true,
    },
    logLevel: 'warn',
  });
}
