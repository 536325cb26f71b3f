import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, type ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { isProblemKey, Problem, type ProblemKey } from '../../errors/index.ts';
import { shorten } from '../../text/shorten.ts';
import { expectedBy } from '../requests/expected-value.ts';
import { isStorable } from '../requests/storable-body.ts';
import type { Server } from '../server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response of this route to an unexpected error. */
    failure?: ProblemKey;
    /** Errors of this route have a code, but neither a hint nor a request id: the contract lists all their fields. */
    bareProblems?: boolean;
  }
  interface FastifyRequest {
    /** The problem returned, if the request failed. */
    problem?: Problem;
    /** The hint returned with it. */
    problemHint?: string | undefined;
    /** The bug behind an unexpected problem. */
    unexpected?: unknown;
  }
}

/**
 * Turns every error into a response. Only a Problem is expected; any other error is a bug and is logged with its stack.
 */
export function setErrorHandler(server: Server) {
  server.setErrorHandler((error, request, reply) => {
    const expected = problemOf(error, request);
    const isOurs = expected === null || (expected !== error && expected.status >= 500);
    if (isOurs) request.unexpected = error;
    return sendProblem(expected ?? new Problem(request.routeOptions.config.failure ?? 'internal'), request, reply);
  });
}

/** Every error is JSON with a code, the request id and, where useful, a hint. */
export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply) {
  request.problem = problem;
  const seconds = problem.body.retryAfterSec ?? problem.body.retryAfter;
  if (typeof seconds === 'number') reply.header('retry-after', Math.ceil(seconds));
  const hint = hintFor(problem, request);
  request.problemHint = hint;
  const additions = { ...(hint && { hint }), requestId: request.id };
  const isBare = request.routeOptions.config?.bareProblems;
  return reply
    .code(problem.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...contractBody(problem), ...(!isBare && additions) });
}

/** The body of a problem inside a response, for one of many posts sent in a request. */
export const problemBody = (problem: Problem) => ({
  ...contractBody(problem),
  ...(problem.hint && { hint: problem.hint }),
});

/** Some texts quote the input, which can be long. */
const maxTextLength = 2000;

const contractBody = ({ code, body }: Problem) => ({ error: String(body.error), code, ...shortTexts(body) });

const shortTexts = (body: Problem['body']): Problem['body'] =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? shorten(value, maxTextLength) : value,
    ]),
  );

/** The error that create-post and other routes return for this schema issue. */
export const problemOfIssue = ({ message, path, ...params }: z.core.$ZodIssue, body: unknown): Problem =>
  invalidInput({ message, instancePath: `/${path.join('/')}`, params }, body);

/** Combines advice for this kind of problem with anything odd about this request. */
function hintFor(problem: Problem, request: FastifyRequest): string | undefined {
  if (request.unexpected !== undefined || problem.body.hint !== undefined) return undefined;
  if (problem.status !== 400) return problem.hint;
  if (Array.isArray(request.sentBody)) return 'The body is an array. Send one JSON object.';
  const unknown = request.inputWarnings?.filter(({ code }) => code === 'UNKNOWN_FIELD') ?? [];
  const oddest = unknown.find(({ didYouMean }) => didYouMean !== undefined) ?? unknown[0];
  const about = oddest?.message.replace(' and was ignored', '');
  return [problem.hint, about].filter(Boolean).join(' ') || undefined;
}

function problemOf(error: unknown, request: FastifyRequest): Problem | null {
  if (error instanceof Problem) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation[0]!, request.sentBody);
  if (!(error instanceof Error)) return null;
  const { code = '' } = error as { code?: string };
  if (code === nullCharacter && !isStorable([request.params, request.query])) return new Problem('text_invalid');
  const key = knownErrors[code];
  if (key === 'locked_too_long') return new Problem(key, { retryAfterSec: 1 });
  if (key === 'body_too_large') return new Problem(key, { error: tooLarge(request) });
  return key ? new Problem(key) : null;
}

const tooLarge = ({ routeOptions: { bodyLimit = 0 } }: FastifyRequest) =>
  `The body is larger than ${Math.max(1, Math.round(bodyLimit / 1024 ** 2))} MB`;

type InputIssue = Pick<ZodFastifySchemaValidationError, 'message' | 'instancePath'> & {
  params: Record<string, unknown>;
};

/**
 * A schema's message is either a key of the problem table, with more body fields in `params`, or a text that needs the
 * field's name. Zod's own text is for programmers, so it is reworded.
 */
function invalidInput({ message = '', instancePath, params }: InputIssue, body: unknown): Problem {
  if (isProblemKey(message)) return new Problem(message, params.params as Record<string, unknown> | undefined);
  const field = instancePath.slice(1).replaceAll('/', '.');
  const expected = zodsOwn.test(message) ? expectedBy(params) : null;
  const error = expected ? `${field} must be ${expected}` : `${field}: ${message}`;
  if (field) return new Problem('invalid_request', { error, field });
  return new Problem('invalid_request', { error: `The body must be a JSON object, not ${kindOf(body)}` });
}

const zodsOwn = /^(Invalid (input|option)|Too (small|big)):/;

function kindOf(body: unknown): string {
  if (body === undefined || body === null) return 'empty';
  if (Array.isArray(body)) return 'an array';
  return `a ${typeof body}`;
}

/**
 * PostgreSQL rejects text with a null character. A body with one never gets this far, but a URL may, because many
 * routes have their own response for an unknown id.
 */
const nullCharacter = '22021';

/** Errors of Fastify, of file storage and of PostgreSQL, by code. The last two are waits for a lock and deadlocks. */
const knownErrors: Record<string, ProblemKey> = {
  STORAGE_UNAVAILABLE: 'storage_unavailable',
  NO_ROOM: 'no_room',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  '55P03': 'locked_too_long',
  '40P01': 'locked_too_long',
};
