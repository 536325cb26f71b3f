import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import { nearestName } from '../../text/nearest-name.ts';
import { shownShape } from '../openapi/schemas.ts';
import type { Server } from '../server.ts';
import { expectedBy } from './expected-value.ts';

/** A request field that had no effect, as listed in `warnings` of the response. */
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

/** More would only make the response long. */
const maxWarnings = 20;

/**
 * Zod drops fields that a schema does not have. To keep a mistyped field from being ignored silently, each success
 * response lists them. The route schemas define which fields exist, so this works the same for every route.
 */
export function warnOfIgnoredInput(server: Server) {
  server.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions;
    if (schema?.response) request.inputWarnings = ignoredInput(schema, request).slice(0, maxWarnings);
    done();
  });
  // The response schema would drop the field too, so it is added to the serialised text.
  server.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    const isText = isJson && typeof payload === 'string' && payload !== '';
    if (!hasWarnings(request, reply) || !isText) return done(null, payload);
    done(null, JSON.stringify(withWarnings(JSON.parse(payload), request, reply)));
  });
}

/** A response with the warnings of its request, if it is a success. */
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

/** A body can have 100,000 fields, and checking all of them would delay other requests. */
const maxLooks = 20_000;

/** The fields of a value that are missing from its schema, at any depth. */
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
  /** The fields that exist at this level, if this one does not. */
  known?: readonly string[];
}

/** Yields every field it visits, so that the caller can stop. */
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
    // A short form, such as a URL, may replace an object with one field.
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

/** Parameters that are never refused, such as `limit=abc`. The document shows the expected values. */
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

/** The schema of a field without optional or nullable wrappers, as the document shows it. */
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
