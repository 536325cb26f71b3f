import { register } from 'prom-client';
import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { buildFastify } from '../../foundation/http/fastify.ts';
import type { Server } from '../../foundation/http/server.ts';
import { readiness } from './health.ts';
import { measureRequests, metricsText } from './metrics.ts';
import { operatorAccess } from './operator-access.ts';

const options = { schema: { hide: true }, config: { quiet: true } };

/** What a process without the role api serves: how it is doing, and nothing else. */
export async function buildHealthServer(app: App): Promise<Server> {
  const { log, newId, config } = app;
  const server = await buildFastify({ log, newId, corsOrigins: [], trustProxy: config.trustProxy });
  healthRoutes(server, app, null);
  return server;
}

/** `stopping`: the process was told to stop, and takes requests for a moment longer. */
export function healthRoutes(server: Server, app: App, stopping: AbortSignal | null) {
  const isOperator = operatorAccess(app.config);
  const shared = oneAtATime(() => readiness(app));
  measureRequests(server);
  server.get('/healthz', options, async () => ({ status: 'ok' }));
  // Load balancers need the status alone. The checks show addresses and errors of the inside.
  server.get('/readyz', options, async (request, reply) => {
    const found = await shared();
    const answer = stopping?.aborted ? { ...found, ready: false, stopping: true } : found;
    return reply.code(answer.ready ? 200 : 503).send(isOperator(request) ? answer : { ready: answer.ready });
  });
  server.get('/metrics', options, async (request, reply) => {
    // A proxy that keeps strangers from /metrics may let other spellings of it pass.
    if (!/^\/metrics(?:\?|$)/.test(request.url))
      throw new Problem('route_not_found', { error: `Cannot GET ${request.url}`, hint: 'Metrics are at /metrics.' });
    if (!isOperator(request)) {
      reply.header('www-authenticate', 'Bearer');
      throw new Problem('metrics_restricted');
    }
    return reply.type(register.contentType).send(await metricsText(app));
  });
}

/** Who asks while an answer is being made gets that one, so strangers cannot fill the database with questions. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}
