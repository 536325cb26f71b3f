import { hasZodFastifySchemaValidationErrors, type ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import { isProblemKey, Problem, type ProblemKey } from '../errors.ts';
import type { Server } from './fastify.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer of this route to an unexpected error. */
    failure?: ProblemKey;
  }
}

/** Turns every error into an answer. Only a Problem is expected; any other error is a bug and is logged with its stack. */
export function setErrorHandler(server: Server) {
  server.setErrorHandler((error, request, reply) => {
    const expected = problemOf(error);
    const isOurs = expected === null || (expected !== error && expected.status >= 500);
    if (isOurs) request.log.error({ err: error }, 'request failed');
    const problem = expected ?? new Problem(request.routeOptions.config.failure ?? 'internal');
    const seconds = problem.body.retryAfterSec ?? problem.body.retryAfter;
    if (typeof seconds === 'number') reply.header('retry-after', Math.ceil(seconds));
    return reply
      .code(problem.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(problem.body);
  });
  // The contract requires this for its withdrawn routes: 404 with a body that is not JSON.
  server.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send(`Cannot ${request.method} ${request.url.split('?')[0]}\n`),
  );
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation[0]!);
  if (!(error instanceof Error)) return null;
  const key = knownErrors[(error as { code?: string }).code ?? ''];
  return key ? new Problem(key) : null;
}

/**
 * The message of a schema is either a key of the problem table, with more fields of the body in `params`, or zod's own text,
 * which needs the name of the field.
 */
function invalidInput({ message = '', instancePath, params }: ZodFastifySchemaValidationError): Problem {
  if (isProblemKey(message)) return new Problem(message, params.params as Record<string, unknown> | undefined);
  const field = instancePath.slice(1).replaceAll('/', '.');
  return new Problem('invalid_request', { error: field ? `${field}: ${message}` : message, ...(field && { field }) });
}

/** Errors of Fastify and of the file storage, by their code. */
const knownErrors: Record<string, ProblemKey> = {
  STORAGE_UNAVAILABLE: 'storage_unavailable',
  NO_ROOM: 'no_room',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};
