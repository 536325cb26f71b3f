import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { type DocumentName, documentNames, documentPath } from '../../../src/foundation/http/openapi/parts.ts';
import { type TestService, testService } from '../service/service.ts';
import { dereference } from './dereference.ts';

export const prefix = '/api/v1';

export interface Schema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  description?: string;
}
export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}
interface Content {
  schema: Schema;
  example?: unknown;
}
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { description?: string; content?: Record<string, Content> }>;
}
export interface OpenapiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, object>;
  components: Record<string, Record<string, Schema>>;
}
export interface Route {
  /** For example `POST /create-post`. */
  name: string;
  method: string;
  path: string;
  operation: Operation;
  /** The document that describes it. */
  document: OpenapiDocument;
  options: RouteOptions;
}

export interface DescribedService extends TestService {
  /** The documents as served. */
  documents: Record<DocumentName, OpenapiDocument>;
  /** The operations of all documents with references resolved, and the options of each route's registration. */
  routes: Route[];
  /** All routes of the API except the documents themselves, whether documented or not. */
  registered: RouteOptions[];
  /** All routes: those, and pages, OAuth, MCP, files. */
  all: RouteOptions[];
}

/** A service with its OpenAPI documents and its routes. */
export async function describedService(options: Parameters<typeof testService>[0]): Promise<DescribedService> {
  const all: RouteOptions[] = [];
  // Fastify announces each server it creates, so no route is missed.
  const listRoutes = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void all.push(route));
  };
  subscribe('fastify.initialization', listRoutes);
  const service = await testService(options).finally(() => unsubscribe('fastify.initialization', listRoutes));
  await service.server.ready();
  const read = async (name: DocumentName): Promise<OpenapiDocument> =>
    (await service.server.inject(documentPath(name))).json();
  const documents = { api: await read('api'), dashboard: await read('dashboard') };
  const hidden = documentNames.map(documentPath);
  const registered = all.filter(
    ({ url, method }) => url.startsWith(`${prefix}/`) && !hidden.includes(url) && method !== 'HEAD',
  );
  const routes = Object.values(documents).flatMap((document) => routesIn(document, registered));
  return { ...service, documents, registered, routes, all: all.filter(({ method }) => method !== 'HEAD') };
}

function routesIn(document: OpenapiDocument, registered: readonly RouteOptions[]): Route[] {
  return Object.entries(dereference(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lowerCase, operation]) => {
      const method = lowerCase.toUpperCase();
      const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
      const options = registered.find((route) => route.url === url && route.method === method);
      if (!options) throw new Error(`${method} ${url} is in the document, but is not a route.`);
      return { name: `${method} ${path}`, method, path, operation, document, options };
    }),
  );
}

export const bodyOf = ({ operation }: Route) => operation.requestBody?.content['application/json']?.schema;
export const formOf = ({ operation }: Route) => operation.requestBody?.content['multipart/form-data']?.schema;
/** The properties of an object, even if it may be null. */
export const propertiesOf = (schema: Schema | undefined): Record<string, Schema> =>
  Object.assign({}, schema?.properties, ...(schema?.anyOf ?? []).map(propertiesOf));

/** The errors that a response lists, including those of the shared response it refers to. */
export function problemLines({ operation, document: { components } }: Route, status: string): string[] {
  return linesOf(operation.responses[status]).flatMap((line) => {
    const [, base] = /^- or as in `(\w+)`$/.exec(line) ?? [];
    return base ? linesOf(components.responses?.[base]) : [line];
  });
}

export const linesOf = (response: { description?: string } = {}) =>
  (response.description ?? '').split('\n').filter((line) => line.startsWith('- '));
