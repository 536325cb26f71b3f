import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { documentFiles } from '../../src/foundation/http/openapi/parts.ts';
import { resolve } from '../support/documents/dereference.ts';

const documents = Object.values(documentFiles).map(
  (name): Document => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')),
);

interface Document {
  paths: Record<string, Record<string, Omit<Operation, 'document' | 'method' | 'path'>>>;
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
  /** The document that describes it. */
  document: Document;
  method: string;
  path: string;
  operationId: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: (Reference & { in: string; name: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Reference & { content?: Record<string, Content> }>;
}

/** Every operation of the OpenAPI documents, so that a new route is covered as soon as it is described. */
export const operations: readonly Operation[] = documents.flatMap((document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      document,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters?.map((parameter) => referred(parameter, document)) ?? [],
    })),
  ),
);

export const accepts = ({ security = [] }: Operation, scheme: string) => security.some((entry) => scheme in entry);

/** The server itself rejects or ignores a body sent to a route without one. */
const unexpectedBody = ['400', '413', '415'];

/** The response's violation of the document, or null if there is none. */
export function mismatch(operation: Operation, status: number, type: string, text: string): string | null {
  const listed = operation.responses[status];
  if (!listed) {
    const isPassedOn = status < 500 && operation.description?.includes('its status is forwarded');
    const isFine = isPassedOn || (!operation.requestBody && unexpectedBody.includes(String(status)));
    return isFine ? isProblem(text) : `${status} is not listed for ${operation.operationId}`;
  }
  const { content = {} } = referred(listed, operation.document);
  const expected = Object.keys(content);
  // Pages for people show errors as pages.
  if (type.startsWith('text/html') && (status >= 400 || expected.includes('text/html'))) return null;
  if (expected.includes('text/event-stream') && type.startsWith('text/event-stream')) return null;
  if (expected.includes('image/webp') && type === 'image/webp') return null;
  const schema = content['application/json']?.schema;
  if (!schema || !type.startsWith('application/json')) return `${type || 'no type'} instead of ${expected.join()}`;
  return violation(shapeOf(schema, operation.document), text);
}

/** Null if the text is a standard error. */
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

function referred<T extends Reference>(value: T, document: Document): T {
  return value.$ref ? (resolve(document, value.$ref) as T) : value;
}

const shapes = new Map<object, z.ZodType>();

/** Turns references to components into references to definitions, as JSON Schema requires. */
function shapeOf(schema: object, { components }: Document): z.ZodType {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = z.fromJSONSchema({ ...inDefinitions(schema), $defs: inDefinitions(components.schemas) });
  shapes.set(schema, shape);
  return shape;
}

const inDefinitions = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
