import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import { nearestName } from '../../text/nearest-name.ts';
import { shownShape } from '../openapi/schemas.ts';
import type { Server } from '../server.ts';
import { expectedBy } from './expected-value.ts';

/** A field of a request that had no effect, as `warnings` of the answer lists it. */
export interface InputWarning {
  code: 'UNKNOWN_FIELD' | 'INVALID_VALUE';
  message: string;
  /** As a dotted path. */
  field: string;
  didYouMean?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent until the body has been read. */
    inputWarnings?: readonly InputWarning[];
  }
}

/** More would only make the answer long. */
const maxWarnings = 20;

/**
 * Zod drops fields that a schema does not have. So that a mistyped field does not succeed in silence, each answer of success
 * lists them. The schemas of the routes say which fields exist, so this works for every route alike.
 */
export function warnOfIgnoredInput(server: Server) {
  server.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions;
    if (schema?.response) request.inputWarnings = ignoredInput(schema, request).slice(0, maxWarnings);
    done();
  });
  // The schema of the answer would drop the field too, so it is added to the finished text.
  server.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    const isText = isJson && typeof payload === 'string' && payload !== '';
    if (!hasWarnings(request, reply) || !isText) return done(null, payload);
    done(null, JSON.stringify(withWarnings(JSON.parse(payload), request, reply)));
  });
}

/** An answer with the warnings of its request, if it is an answer of success. */
export function withWarnings(answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  if (!hasWarnings(request, reply) || typeof answer !== 'object' || answer === null) return answer;
  const own = 'warnings' in answer && Array.isArray(answer.warnings) ? answer.warnings : [];
  return { ...answer, warnings: [...own, ...(request.inputWarnings ?? [])] };
}

const hasWarnings = ({ inputWarnings = [] }: FastifyRequest, { statusCode }: FastifyReply) =>
  inputWarnings.length > 0 && statusCode < 300;

const noFields = z.object({});

function ignoredInput(schema: FastifySchema, { body, query }: FastifyRequest): InputWarning[] {
  const isForm = schema.consumes?.includes('multipart/form-data') ?? false;
  const querystring = schema.querystring ?? noFields;
  return [
    ...(isForm ? [] : unknownFields(schema.body ?? noFields, body)),
    ...unknownFields(querystring, query),
    ...invalidValues(querystring, query),
  ];
}

/** A body can have a hundred thousand fields, and looking at all of them would keep other requests waiting. */
const maxLooks = 20_000;

/** The fields of a value that its schema does not have, at any depth. */
export function unknownFields(schema: unknown, value: unknown): InputWarning[] {
  const found = new Map<string, InputWarning>();
  let looks = 0;
  for (const { path, name, known } of fieldsBeside(schema, value, '')) {
    looks += 1;
    const field = path + name;
    if (known && !found.has(field)) found.set(field, unknownField(name, path, known));
    if (found.size === maxWarnings || looks === maxLooks) break;
  }
  return [...found.values()];
}

interface Look {
  path: string;
  name: string;
  /** The fields that exist there, if this one does not. */
  known?: readonly string[];
}

/** Everything that is looked at, so that the reader can stop. */
function* fieldsBeside(schema: unknown, value: unknown, path: string): Generator<Look> {
  if (typeof value !== 'object' || value === null) return;
  const shape = innermost(schema);
  if (shape instanceof z.ZodPipe) {
    yield* fieldsBeside(shape.in, value, path);
    yield* fieldsBeside(shape.out, value, path);
  } else if (shape instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield { path, name: String(index) };
      yield* fieldsBeside(shape.element, item, `${path}${index}.`);
    }
  } else if (shape instanceof z.ZodUnion) {
    // A short form, such as an address, may stand for an object with one field.
    const objects = shape.options.filter(isObject);
    if (objects.length === 1) yield* fieldsBeside(objects[0], value, path);
  } else if (shape instanceof z.ZodObject && !Array.isArray(value)) yield* fieldsOf(shape, value, path);
}

function* fieldsOf(shape: z.ZodObject, value: object, path: string): Generator<Look> {
  const isOpen = shape.def.catchall !== undefined && !(shape.def.catchall instanceof z.ZodNever);
  const known = Object.keys(shape.shape);
  for (const [name, item] of Object.entries(value)) {
    const isKnown = known.includes(name);
    yield isKnown || isOpen ? { path, name } : { path, name, known };
    if (isKnown) yield* fieldsBeside(shape.shape[name], item, `${path}${name}.`);
  }
}

const isObject = (schema: unknown) => innermost(schema) instanceof z.ZodObject;

function unknownField(name: string, path: string, known: readonly string[]): InputWarning {
  const field = (path + name).slice(0, 200);
  const nearest = nearestName(name, known);
  const message = `The field "${field}" does not exist and was ignored.`;
  if (nearest === null) return { code: 'UNKNOWN_FIELD', message, field };
  return {
    code: 'UNKNOWN_FIELD',
    message: `${message} Did you mean "${path}${nearest}"?`,
    field,
    didYouMean: path + nearest,
  };
}

/** Parameters that are never refused, such as `limit=abc`: the document shows what they should have been. */
function invalidValues(schema: unknown, query: unknown): InputWarning[] {
  const shape = innermost(schema);
  if (!(shape instanceof z.ZodObject) || typeof query !== 'object' || query === null) return [];
  return Object.entries(query).flatMap(([field, value]) => {
    const shown = Object.hasOwn(shape.shape, field) ? shownShape(shape.shape[field]) : undefined;
    if (!shown || value === '') return [];
    const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
    const { error } = shown.safeParse(isNumber ? Number(value) : value);
    if (!error || shown.safeParse(value).success) return [];
    const given = String(value).slice(0, 50);
    const message = `${field} "${given}" is not valid: it has to be ${expectedBy(error.issues[0] ?? {}) ?? 'something else'}. The default or the nearest allowed value was used.`;
    return [{ code: 'INVALID_VALUE' as const, message, field }];
  });
}

/** What a field holds if it is there, as the document shows it. */
function innermost(schema: unknown): unknown {
  const shown = shownShape(schema);
  if (shown) return innermost(shown);
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch;
  return wraps ? innermost(schema.unwrap()) : schema;
}
