import { matchPath } from '../match-path.ts';
import type { Schema } from './json-schema.ts';

/** The used part of OpenAPI 3. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
}
type PathItem = Readonly<Partial<Record<(typeof verbs)[keyof typeof verbs], Operation>>> & {
  readonly parameters?: readonly Parameter[];
};
export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
export interface Body {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
const isVerb = (method: string): method is keyof typeof verbs => method in verbs;

/** The operation with all its parameters. Null if the document has none for the path. */
export function findOperation(document: OpenApi, method: string, path: string) {
  const base = basePath(document);
  if (!isVerb(method) || !path.startsWith(base)) return null;
  const matching = Object.entries(document.paths)
    .filter(([template]) => matchPath(template, path.slice(base.length)))
    // A path with fewer parameters is more specific.
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
  for (const [, item] of matching) {
    const operation = item[verbs[method]];
    if (!operation) continue;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return { operation, parameters: parameters.map((parameter) => resolved(document, parameter)) };
  }
  return null;
}

function basePath({ servers = [] }: OpenApi): string {
  const [server] = servers;
  return server ? new URL(server.url.replace(/\{\w+\}/g, 'host')).pathname.replace(/\/$/, '') : '';
}

/** The object itself, or the target of its reference. */
export function resolved<T extends { readonly $ref?: string }>(document: OpenApi, given: T): T {
  return given.$ref === undefined ? given : resolved(document, lookUp<T>(document, given.$ref));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The target of a reference such as `#/components/schemas/Post`. */
export function lookUp<T>(document: OpenApi, ref: string): T {
  const parts = ref
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let place: unknown = document;
  for (const part of parts) place = isRecord(place) ? place[part] : undefined;
  if (!isRecord(place)) throw new Error(`The document has no ${ref}.`);
  // The place of a reference determines its type.
  return place as T;
}
