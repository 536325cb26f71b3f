import type { JSONObject } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { requestLimits } from '../../foundation/errors/requests.ts';
import { type JsonSchema, schemaConverter } from '../../foundation/http/openapi/schemas.ts';
import { takesIdempotencyKey } from './operations.ts';
import type { Reword } from './reword.ts';
import { type ArgumentsSchema, adding, type Tool } from './tool.ts';

export interface ToolSchemas {
  inputSchema: ArgumentsSchema;
  outputSchema: JSONObject & { type: 'object' };
}

/** The schemas of tools, derived from the zod schemas of the routes they call. */
export function toolSchemas(reword: Reword) {
  const { convert, components } = schemaConverter();
  const toSchema: ToSchema = (shape, io) => plain(convert(shape, io), components, reword);
  return (tool: Tool, route: RouteOptions): ToolSchemas => {
    const all = argumentsOf(route, toSchema);
    const answer = toSchema(answerOf(route), 'output');
    return { inputSchema: tool.input?.(all) ?? all, outputSchema: { ...answer, type: 'object' } };
  };
}

type ToSchema = (shape: z.ZodType, io: 'input' | 'output') => JSONObject;

const idempotencyKey: JSONObject = {
  type: 'string',
  minLength: 1,
  maxLength: requestLimits.idempotencyKeyLength,
  description:
    'Identifies this call for 24 hours: a retry with the same key and arguments only returns the first result.',
};

function argumentsOf(route: RouteOptions, toSchema: ToSchema): ArgumentsSchema {
  const { schema = {} } = route;
  const parts = [schema.params, schema.querystring, schema.body].flatMap((shape) => objectsIn(shape, toSchema));
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required.map(String) : []));
  const all: ArgumentsSchema = {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(required)],
  };
  return takesIdempotencyKey(route) ? adding(all, { idempotencyKey }) : all;
}

function objectsIn(shape: unknown, toSchema: ToSchema): JSONObject[] {
  return shape instanceof z.ZodType ? [toSchema(withoutNull(shape), 'input')] : [];
}

const withoutNull = (shape: z.ZodType): z.ZodType =>
  shape instanceof z.ZodOptional || shape instanceof z.ZodNullable ? withoutNull(shape.unwrap() as z.ZodType) : shape;

/** Every operation that a tool calls has one success response. */
function answerOf({ schema, url }: RouteOptions): z.ZodType {
  const [answer] = Object.values(schema?.response ?? {});
  if (!(answer instanceof z.ZodType)) throw new Error(`${url} has no schema of its answer.`);
  return answer;
}

/**
 * Inlines references, because some clients cannot follow them, and uses the tools' names. The converter puts referenced
 * schemas into `components`.
 */
function plain(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>, reword: Reword): JSONObject {
  const visit = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return name === 'description' ? reword(value) : value;
    if (Array.isArray(value)) return value.map((item) => visit(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as JsonSchema;
    const meant = typeof $ref === 'string' ? components[$ref.split('/').at(-1) ?? ''] : {};
    return Object.fromEntries(Object.entries({ ...meant, ...own }).map(([key, item]) => [key, visit(item, key)]));
  };
  return visit(schema) as JSONObject;
}
