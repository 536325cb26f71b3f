import type { App } from '../../app.ts';
import { buildFastify } from '../../foundation/http/fastify.ts';
import type { Server } from '../../foundation/http/server.ts';
import { healthRoutes } from './routes.ts';

/** What a process without the role api serves: how it is doing, and nothing else. */
export async function buildHealthServer(app: App): Promise<Server> {
  const { log, newId, config } = app;
  const server = await buildFastify({ log, newId, corsOrigins: [], trustProxy: config.trustProxy });
  healthRoutes(server, app, null);
  return server;
}
