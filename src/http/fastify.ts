import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { Problem } from '../errors.ts';
import type { NewId } from '../lib/ids.ts';
import { setErrorHandler } from './error-handler.ts';
import { loggedPath } from './logged-path.ts';
import { isStorable } from './storable-body.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface FastifyOptions {
  log: FastifyBaseLogger;
  newId: NewId;
  corsOrigins: readonly string[];
}

const jsonBodyLimit = 1024 * 1024;

/** The Fastify instance that all routes share: zod schemas, one error handler, request ids, CORS and security headers. */
export async function buildFastify({ log, newId, corsOrigins }: FastifyOptions): Promise<Server> {
  const server: Server = Fastify({
    loggerInstance: log,
    genReqId: newId,
    requestIdHeader: false,
    bodyLimit: jsonBodyLimit,
    // Requests are logged below, without those of health checks and metrics, which would fill the log.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An unreadable URL does not reach the error handler.
    frameworkErrors: (_error, _request, reply) => {
      (reply as unknown as FastifyReply).code(400).send({ error: 'Invalid request' });
    },
    // Requests that arrive on open connections during the shutdown are answered, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  setErrorHandler(server);
  nameAndLogRequests(server);
  await server.register(helmet, {
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    hsts: false,
  });
  await server.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['content-type', 'x-service-key', 'x-service-user-id', 'x-service-client', 'idempotency-key'],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
  });
  return server;
}

function nameAndLogRequests(server: Server) {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  server.addHook('preValidation', async (request) => {
    if (!isStorable(request.body)) throw new Problem('text_invalid');
    request.sentBody = request.body;
  });
  server.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.quiet) return;
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route are not logged. */
    quiet?: boolean;
  }
}
