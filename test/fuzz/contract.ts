import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { resolve } from '../support/dereference.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

interface Document {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: object };
}
interface Content {
  schema: object;
  example?: unknown;
}
interface Reference {
  $ref?: string;
}
export interface Operation {
  method: string;
  path: string;
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: (Reference & { in: string; name: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Reference & { content?: Record<string, Content> }>;
}

/** Every operation of openapi.json, so that a new route is covered as soon as it is described. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters?.map(referred) ?? [],
  })),
);

export const accepts = ({ security = [] }: Operation, scheme: string) => security.some((entry) => scheme in entry);

/** A body that is sent to a route without one is refused, or ignored, by the server itself. */
const unexpectedBody = ['400', '413', '415'];

/** What is wrong with this answer according to the document; null if nothing is. */
export function mismatch(operation: Operation, status: number, type: string, text: string): string | null {
  const listed = operation.responses[status];
  if (!listed) {
    const isFine = !operation.requestBody && unexpectedBody.includes(String(status));
    return isFine ? isProblem(text) : `${status} is not listed for ${operation.operationId}`;
  }
  const { content = {} } = referred(listed);
  const expected = Object.keys(content);
  // Pages for people show errors as pages.
  if (type.startsWith('text/html') && (status >= 400 || expected.includes('text/html'))) return null;
  if (expected.includes('text/event-stream') && type.startsWith('text/event-stream')) return null;
  if (expected.includes('image/webp') && type === 'image/webp') return null;
  const schema = content['application/json']?.schema;
  if (!schema || !type.startsWith('application/json')) return `${type || 'no type'} instead of ${expected.join()}`;
  return violation(shapeOf(schema), text);
}

/** Null if this is an error as every route answers it. */
export const isProblem = (text: string): string | null => violation(problem, text);

const problem = z.object({ error: z.string(), code: z.string() });

function violation(shape: z.ZodType, text: string): string | null {
  const value = parsed(text);
  if (value === undefined) return `no JSON: ${text.slice(0, 100)}`;
  const { error } = shape.safeParse(value);
  return error ? `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}` : null;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function referred<T extends Reference>(value: T): T {
  return value.$ref ? (resolve(document, value.$ref) as T) : value;
}

const shapes = new Map<string, z.ZodType>();

/** References to components become references to definitions, which is what JSON Schema knows. */
function shapeOf(schema: object): z.ZodType {
  const text = JSON.stringify(schema);
  const known = shapes.get(text);
  if (known) return known;
  const shape = z.fromJSONSchema({ ...JSON.parse(inDefinitions(text)), $defs: definitions });
  shapes.set(text, shape);
  return shape;
}

const inDefinitions = (text: string) => text.replaceAll('#/components/schemas/', '#/$defs/');
const definitions = JSON.parse(inDefinitions(JSON.stringify(document.components.schemas)));
