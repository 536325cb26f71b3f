import { register } from 'prom-client';
import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { buildFastify } from '../../foundation/http/fastify.ts';
import type { Server } from '../../foundation/http/server.ts';
import { readiness } from './health.ts';
import { measureRequests, metricsText } from './metrics.ts';
import { operatorAccess } from './operator-access.ts';

const options = { schema: { hide: true }, config: { quiet: true } };

/** A process without the role api serves only its health. */
export async function buildHealthServer(app: App): Promise<Server> {
  const { log, newId, config } = app;
  const server = await buildFastify({ log, newId, corsOrigins: [], trustProxy: config.trustProxy });
  healthRoutes(server, app, null);
  return server;
}

/** `stopping`: the process is shutting down, and accepts requests for a moment longer. */
export function healthRoutes(server: Server, app: App, stopping: AbortSignal | null) {
  const isOperator = operatorAccess(app.config);
  const shared = oneAtATime(() => readiness(app));
  measureRequests(server);
  server.get('/healthz', options, async () => ({ status: 'ok' }));
  // Load balancers need only the status. The checks reveal internal addresses and errors.
  server.get('/readyz', options, async (request, reply) => {
    const found = await shared();
    const answer = stopping?.aborted ? { ...found, ready: false, stopping: true } : found;
    return reply.code(answer.ready ? 200 : 503).send(isOperator(request) ? answer : { ready: answer.ready });
  });
  server.get('/metrics', options, async (request, reply) => {
    // A proxy that blocks /metrics for outsiders may let other spellings of it pass.
    if (!/^\/metrics(?:\?|$)/.test(request.url))
      throw new Problem('route_not_found', { error: `Cannot GET ${request.url}`, hint: 'Metrics are at /metrics.' });
    if (!isOperator(request)) {
      reply.header('www-authenticate', 'Bearer');
      throw new Problem('metrics_restricted');
    }
    return reply.type(register.contentType).send(await metricsText(app));
  });
}

/**
 * Callers that arrive while a response is being computed share it, so outsiders cannot flood the database with queries.
 */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}
