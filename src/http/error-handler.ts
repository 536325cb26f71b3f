import { hasZodFastifySchemaValidationErrors, type ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import { isProblemKey, Problem, type ProblemKey } from '../errors.ts';
import type { Server } from './fastify.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route answers when something breaks that nobody foresaw. */
    failure?: ProblemKey;
  }
}

/** Turns whatever was thrown into an answer. Only a Problem is foreseen; the rest is a bug and keeps its stack in the log. */
export function setErrorHandler(server: Server) {
  server.setErrorHandler((error, request, reply) => {
    const foreseen = problemOf(error);
    if (!foreseen) request.log.error({ err: error }, 'request failed');
    const problem = foreseen ?? new Problem(request.routeOptions.config.failure ?? 'internal');
    const seconds = problem.body.retryAfterSec ?? problem.body.retryAfter;
    if (typeof seconds === 'number') reply.header('retry-after', Math.ceil(seconds));
    return reply
      .code(problem.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(problem.body);
  });
  // The contract's withdrawn routes rely on this: 404 with a body that is not JSON.
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
  const key = frameworkErrors[(error as { code?: string }).code ?? ''];
  return key ? new Problem(key) : null;
}

/**
 * A schema's message is either a key of the problem table, with further fields of the body in `params`, or zod's own
 * words, which then need the field's name.
 */
function invalidInput({ message = '', instancePath, params }: ZodFastifySchemaValidationError): Problem {
  if (isProblemKey(message)) return new Problem(message, params.params as Record<string, unknown> | undefined);
  const field = instancePath.slice(1).replaceAll('/', '.');
  return new Problem('invalid_request', { error: field ? `${field}: ${message}` : message, ...(field && { field }) });
}

const frameworkErrors: Record<string, ProblemKey> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};
