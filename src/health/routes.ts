import { register } from 'prom-client';
import type { App } from '../app.ts';
import type { Server } from '../http/fastify.ts';
import { readiness } from './health.ts';
import { measureRequests, metricsText } from './metrics.ts';

const options = { schema: { hide: true }, config: { quiet: true } };

export function healthRoutes(server: Server, app: App) {
  measureRequests(server);
  server.get('/healthz', options, async () => ({ status: 'ok' }));
  server.get('/readyz', options, async (_, reply) => {
    const answer = await readiness(app);
    return reply.code(answer.ready ? 200 : 503).send(answer);
  });
  server.get('/metrics', options, async (_, reply) => reply.type(register.contentType).send(await metricsText(app)));
}
