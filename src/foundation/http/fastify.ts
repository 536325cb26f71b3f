import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { Problem } from '../errors/index.ts';
import { requestLimits } from '../errors/requests.ts';
import type { NewId } from '../lib/ids.ts';
import { sendProblem, setErrorHandler } from './answers/error-handler.ts';
import { writeLongAnswersInTurns } from './answers/long-answers.ts';
import { type NotFoundPage, setNotFoundHandler } from './answers/not-found.ts';
import { securityHeaders } from './answers/security-headers.ts';
import { serializerCompiler } from './answers/serializer.ts';
import { cutOffSlowReaders } from './answers/slow-readers.ts';
import { limitUnreadAnswers } from './answers/unread-answers.ts';
import { markReplays } from './idempotency.ts';
import { loggedPath } from './logged-path.ts';
import { refuseLargeJson } from './requests/body-limits.ts';
import { warnOfIgnoredInput } from './requests/input-warnings.ts';
import { takeLargeBodiesInTurn } from './requests/large-bodies.ts';
import { limitPipelining } from './requests/pipelining.ts';
import { bodyWatch, type SlowClientLimits, slowClientLimits } from './requests/slow-clients.ts';
import { isPlain, isStorable } from './requests/storable-body.ts';
import { answerUnreadableRequest, refuseSecondHost } from './requests/unreadable-request.ts';
import { validatorCompiler } from './requests/validator.ts';
import type { Server } from './server.ts';

export interface FastifyOptions {
  log: FastifyBaseLogger;
  newId: NewId;
  corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted. Default: none. */
  trustProxy?: readonly string[];
  /** Tells browsers to use https only. */
  strictTransport?: boolean;
  /** Paths for which the contract requires a plain 404. */
  withdrawn?: readonly string[];
  /** What browsers get at an unknown address outside the API. Default: JSON, as API clients. */
  notFoundPage?: NotFoundPage | null;
  slowClients?: SlowClientLimits;
  /** Multiplies the limits. Null: no limits. Default: 1. */
  rateFactor?: number | null;
}

/** The Fastify instance that all routes share: zod schemas, one error handler, request ids, CORS and security headers. */
export async function buildFastify(options: FastifyOptions): Promise<Server> {
  const { log, newId, corsOrigins, trustProxy = [], strictTransport = false, withdrawn = [] } = options;
  const { slowClients = slowClientLimits, rateFactor = 1, notFoundPage = null } = options;
  const answerUnreadable = answerUnreadableRequest(newId);
  const watchBody = bodyWatch(slowClients, answerUnreadable);
  const server: Server = Fastify({
    loggerInstance: log,
    genReqId: ({ headers }) => readableId(headers['x-request-id']) ?? newId(),
    requestIdHeader: false,
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    bodyLimit: requestLimits.jsonBytes,
    http: { headersTimeout: slowClients.headersMs, connectionsCheckingInterval: Math.ceil(slowClients.headersMs / 30) },
    // Requests are logged below, except health checks and metrics, which would fill the log.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An unreadable URL does not reach the error handler.
    frameworkErrors: ({ code }, request, reply) => {
      const hint =
        code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? 'A path segment is longer than 500 characters.'
          : 'The URL cannot be decoded. Write a percent sign as %25.';
      const withId = (reply as unknown as FastifyReply).header('x-request-id', request.id);
      watchBody(request as FastifyRequest, withId);
      sendProblem(new Problem('invalid_request', { hint }), request as FastifyRequest, withId);
    },
    clientErrorHandler: answerUnreadable,
    // Requests that arrive on open connections during shutdown are served, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  readJsonOnly(server);
  setErrorHandler(server);
  setNotFoundHandler(server, withdrawn, notFoundPage);
  limitPipelining(server);
  server.addHook('onRequest', (request, reply, done) => {
    watchBody(request, reply);
    done();
  });
  cutOffSlowReaders(server, slowClients);
  nameRequests(server, securityHeaders({ strictTransport }));
  server.addHook('onRequest', refuseSecondHost);
  logRequests(server);
  warnOfIgnoredInput(server);
  takeLargeBodiesInTurn(server, rateFactor);
  writeLongAnswersInTurns(server);
  limitUnreadAnswers(server);
  markReplays(server);
  await server.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      ...['content-type', 'x-service-key', 'x-service-user-id', 'x-service-client', 'idempotency-key', 'last-event-id'],
      // For MCP clients in a browser.
      ...['authorization', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'],
    ],
    // An OPTIONS request that is not a preflight gets the same response, not a plain-text error.
    strictPreflight: false,
    exposedHeaders: ['x-request-id', 'retry-after', 'idempotent-replayed', 'www-authenticate'],
    maxAge: 600,
  });
  return server;
}

/** Many clients send `Content-Type: application/json` with every request, so an empty body counts as no body. */
function readJsonOnly(server: Server) {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.decorateRequest('isPlain', false);
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    request.bodyCharacters = text.length;
    request.isPlain = isPlain(text);
    const refusal = refuseLargeJson(text, request);
    if (refusal) return done(refusal);
    return text === '' ? done(null, undefined) : parse(request, text, done);
  });
  server.removeContentTypeParser('text/plain');
}

/** The client's own request id, so that both logs match, unless it could break a log line. */
function readableId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:+/=-]{1,128}$/.test(header) ? header : null;
}

function nameRequests(server: Server, security: Record<string, string>) {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(security);
    reply.header('x-request-id', request.id);
    // Responses hold posts, keys and tokens. A route with a cacheable response overrides this.
    reply.header('cache-control', 'no-store');
    done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    request.sentBody = request.body;
    done(request.isPlain || isStorable(request.body) ? undefined : new Problem('text_invalid'));
  });
}

function logRequests(server: Server) {
  server.addHook('onResponse', (request, reply, done) => {
    done();
    const { problem, unexpected } = request;
    if (request.routeOptions.config.quiet && !problem) return;
    const userId = request.who?.userId ?? request.session?.userId;
    request.log[levelOf(request, reply)](
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(problem && { code: problem.code }),
        ...(userId && { userId }),
        ...(unexpected !== undefined && { err: unexpected }),
      },
      unexpected === undefined ? 'request' : 'request failed',
    );
  });
}

/** A bug is an error. Other responses of 500 or more are expected, but operators want to see them. */
function levelOf({ unexpected }: FastifyRequest, { statusCode }: FastifyReply) {
  if (unexpected !== undefined) return 'error';
  return statusCode >= 500 ? 'warn' : 'info';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route are not logged. */
    quiet?: boolean;
    /** The response continues until the client disconnects. */
    isStream?: boolean;
  }
}
