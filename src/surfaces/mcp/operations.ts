import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Server } from '../../foundation/http/server.ts';

/** The routes of the REST API, by operation id. */
export type Operations = ReadonlyMap<string, RouteOptions>;

/** Collects the routes registered after it. */
export function collectOperations(server: Server): Operations {
  const operations = new Map<string, RouteOptions>();
  server.addHook('onRoute', (route) => {
    const { operationId } = route.schema ?? {};
    // Fastify adds a HEAD route to each GET route.
    if (operationId && route.method !== 'HEAD') operations.set(operationId, route);
  });
  return operations;
}

export const takesIdempotencyKey = ({ schema }: RouteOptions) =>
  schema?.headers instanceof z.ZodObject && Object.hasOwn(schema.headers.shape, 'idempotency-key');
