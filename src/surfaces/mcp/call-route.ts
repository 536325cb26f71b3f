import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { z } from 'zod';
import { Problem } from '../../foundation/errors/index.ts';
import { maxAnswerBytes } from '../../foundation/errors/mcp.ts';
import { problemBody } from '../../foundation/http/answers/error-handler.ts';
import type { Server } from '../../foundation/http/server.ts';
import { takesIdempotencyKey } from './operations.ts';
import type { Arguments } from './tool.ts';

/** The caller of a tool or reader of a resource. */
export interface Caller {
  readonly key: string;
  /** The managed user to act as, if the client names one in x-service-user-id. */
  readonly actAs: string | null;
  readonly ip: string;
  readonly requestId: string;
  /** Counts requests that no route counts, and throws if they exceed the limit. */
  countRead(): Promise<void>;
  /** How many of this request's messages were counted, by a route or with `countRead`. */
  readonly counted: { messages: number };
  /** The bytes of all responses to this request, which can be a batch. */
  readonly answered: { bytes: number };
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The longest that an HTTP client can send: Node refuses longer headers. */
const maxUrlLength = 16 * 1024;

const AnswerBody = z.record(z.string(), z.unknown());

/**
 * Calls a route of the REST API within this process. The route does everything it does for an HTTP client: it checks
 * the key, the plan and MCP access, counts rate limits, validates, stores idempotent responses and logs.
 */
export async function callRoute(
  server: Pick<Server, 'inject'>,
  route: RouteOptions,
  args: Arguments,
  caller: Caller,
): Promise<RouteAnswer> {
  const { idempotencyKey, fields } = takesIdempotencyKey(route) ? withoutKey(args) : { fields: args };
  const { path, rest } = pathFor(route.url, fields);
  const url = route.schema?.body === undefined ? `${path}?${queryOf(rest)}` : path;
  if (url.length > maxUrlLength) throw new Problem('invalid_request', { error: 'The arguments are too long' });
  caller.counted.messages += 1;
  const response = await server.inject({
    method: route.method as NonNullable<InjectOptions['method']>,
    headers: {
      'x-service-key': caller.key,
      'x-service-client': 'mcp',
      'x-request-id': caller.requestId,
      ...(caller.actAs !== null && { 'x-service-user-id': caller.actAs }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': headerText(idempotencyKey) }),
      ...(route.schema?.body !== undefined && { 'content-type': 'application/json' }),
    },
    url,
    ...(route.schema?.body !== undefined && { payload: JSON.stringify(rest) }),
    remoteAddress: caller.ip,
    payloadAsStream: true,
  });
  const text = await readAnswer(response, caller);
  if (text === null) return tooLarge(route, response.statusCode, caller);
  return { status: response.statusCode, body: AnswerBody.parse(JSON.parse(text)) };
}

/** Null if the response is too large. The route then stops writing it. */
async function readAnswer({ stream, raw }: LightMyRequestResponse, { answered }: Caller): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream()) {
    bytes += chunk.length;
    if (answered.bytes + bytes > maxAnswerBytes) {
      raw.res.destroy();
      return null;
    }
    chunks.push(chunk);
  }
  answered.bytes += bytes;
  return Buffer.concat(chunks).toString();
}

function tooLarge({ method }: RouteOptions, status: number, { requestId }: Caller): RouteAnswer {
  const isDone = method !== 'GET' && status < 400;
  const hint = isDone
    ? 'The call succeeded, so do not repeat it. Only its result is missing.'
    : 'Request less: send a smaller limit, and no other call in the same batch.';
  const problem = new Problem('answer_too_large', { hint });
  return { status: problem.status, body: { ...problemBody(problem), requestId } };
}

const withoutKey = ({ idempotencyKey, ...fields }: Arguments) => ({ idempotencyKey, fields });

/** The path with its parameters, and the remaining fields. */
function pathFor(url: string, fields: Arguments) {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const path = url.replace(/:(\w+)/g, (_, name: string) => segment(name, fields[name]));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return { path, rest };
}

/** A segment of only dots would lead to another route. */
function segment(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.*$/.test(value) && value.isWellFormed()) return encodeURIComponent(value);
  const error = value === undefined || value === '' ? `${name} is required` : `${name} is not valid`;
  throw new Problem('invalid_request', { error, field: name });
}

/** A header cannot hold every text, so a key with other characters is sent encoded. */
const headerText = (key: unknown) =>
  typeof key === 'string' && /^[\x20-\x7e]*$/.test(key) ? key : encodeURIComponent(JSON.stringify(key));

function queryOf(fields: Arguments): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(
    given.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}
