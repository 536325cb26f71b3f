import { STATUS_CODES } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import { usedComponents } from './components.ts';
import { headerComponents } from './headers.ts';
import { infoFor, securitySchemes, tags } from './info.ts';
import { belongsTo, type Part } from './parts.ts';
import { problemSchemas } from './problem-body.ts';
import { problemResponses } from './problems.ts';
import { type Convert, type JsonSchema, schemaConverter } from './schemas.ts';
import { deliveryHeaders, type WebhookEvent, webhookSection } from './webhooks.ts';

const prefix = '/api/v1';

/** The content of the document apart from its routes. */
export interface Described {
  readonly webhookEvents: readonly WebhookEvent[];
  /** The names of the networks that can be posted to. */
  readonly networks: readonly string[];
}

export type OpenapiDocument = Awaited<ReturnType<typeof openapiDocument>>;

/**
 * The OpenAPI document for one part of these routes, with the components it uses. Skips routes whose schema sets
 * `hide`. Yields to other requests between routes, because all of them together take a quarter of a second.
 */
export async function openapiDocument(
  routes: readonly RouteOptions[],
  part: Part,
  { webhookEvents, networks }: Described,
) {
  const shown = routes.filter(isShown);
  const own = shown.filter(belongsTo[part]);
  const others = shown.filter((route) => !own.includes(route));
  const { convert, components } = schemaConverter();
  const errors = problemResponses(own);
  const operations: Operation[] = [];
  for (const route of own) {
    operations.push(describeRoute(route, convert, errors.of));
    await setImmediate();
  }
  const parameters = sharedParameters(operations.flatMap(({ operation }) => operation.parameters));
  const described = {
    paths: pathsOf(operations, parameters),
    ...(part !== 'dashboard' && { webhooks: webhookSection(webhookEvents, convert) }),
  };
  const schemas = { ...components, ...problemSchemas(convert, components, { own, others }) };
  return {
    openapi: '3.1.0',
    info: infoFor(part, networks),
    servers: [{ url: prefix, description: 'The service that serves this document.' }],
    tags: tags.filter(({ name }) => operations.some(({ operation }) => operation.tags?.includes(name))),
    ...described,
    components: usedComponents(described, {
      schemas: sorted(schemas),
      parameters: { ...sorted(parameters), ...deliveryHeaders },
      responses: errors.shared,
      headers: headerComponents,
      securitySchemes,
    }),
  };
}

/** Fastify adds a HEAD route to each GET route. */
const isShown = ({ method, schema }: RouteOptions) => schema !== undefined && !schema.hide && method !== 'HEAD';

interface Operation {
  path: string;
  method: string;
  operation: {
    operationId: string | undefined;
    summary: string | undefined;
    description: string | undefined;
    tags: readonly string[] | undefined;
    security: FastifySchema['security'] | undefined;
    parameters: Parameter[];
    requestBody?: object;
    responses: Record<string, object>;
  };
}

type ErrorsOf = ReturnType<typeof problemResponses>['of'];

function describeRoute(
  { method, url, schema = {}, config }: RouteOptions,
  convert: Convert,
  errorsOf: ErrorsOf,
): Operation {
  const { operationId, summary, description, tags, security } = schema;
  return {
    path: url.slice(prefix.length).replace(/:(\w+)/g, '{$1}'),
    method: String(method).toLowerCase(),
    operation: {
      ...{ operationId, summary, description, tags, security },
      parameters: [
        ...parametersIn('path', schema.params, convert),
        ...parametersIn('query', schema.querystring, convert),
        ...parametersIn('header', schema.headers, convert),
      ],
      ...requestBodyOf(schema, convert),
      responses: { ...successOf(schema, convert), ...errorsOf(config?.problems ?? []) },
    },
  };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  description?: string;
  schema: JsonSchema;
}

function parametersIn(place: Parameter['in'], shape: unknown, convert: Convert): Parameter[] {
  if (!(shape instanceof z.ZodType)) return [];
  const { properties = {}, required = [] } = convert(shape, 'input');
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...((place === 'path' || required.includes(name)) && { required: true }),
    ...(description && { description }),
    schema,
  }));
}

function requestBodyOf({ body, consumes = ['application/json'], example }: FastifySchema, convert: Convert) {
  if (!(body instanceof z.ZodType)) return {};
  const content = { schema: convert(withoutNull(body), 'input'), example: example?.request };
  return {
    requestBody: {
      required: !(body instanceof z.ZodOptional),
      content: Object.fromEntries(consumes.map((type) => [type, content])),
    },
  };
}

/** An optional body may also be `null`, which is not worth a union in every client. */
function withoutNull(body: z.ZodType): z.ZodType {
  return body instanceof z.ZodOptional || body instanceof z.ZodNullable
    ? withoutNull(body.unwrap() as z.ZodType)
    : body;
}

function successOf({ response, produces = ['application/json'], example }: FastifySchema, convert: Convert) {
  return Object.fromEntries(
    Object.entries(response as Record<string, z.ZodType>).map(([status, shape]) => {
      const shown = example?.responses?.[status] ?? example?.response;
      const content = { schema: convert(shape, 'output'), ...(shown !== undefined && { example: shown }) };
      return [
        status,
        {
          description: shape.description ?? STATUS_CODES[status],
          content: Object.fromEntries(produces.map((type) => [type, content])),
        },
      ];
    }),
  );
}

/** Parameters that several operations share, by component name. */
function sharedParameters(all: readonly Parameter[]): Record<string, Parameter> {
  const shared: Record<string, Parameter> = {};
  const seen = new Set<string>();
  for (const parameter of all) {
    const text = JSON.stringify(parameter);
    if (seen.has(text)) shared[componentName(parameter)] ??= parameter;
    seen.add(text);
  }
  return shared;
}

const isSame = (a: Parameter, b: Parameter) => JSON.stringify(a) === JSON.stringify(b);

/** `x-service-user-id` becomes `ServiceUserId`. */
const componentName = ({ name }: Parameter) =>
  name.replace(/^x-/, '').replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

type PlacedOperation = Omit<Operation['operation'], 'parameters'> & { parameters: (Parameter | { $ref: string })[] };

function pathsOf(operations: readonly Operation[], shared: Record<string, Parameter>) {
  const paths: Record<string, Record<string, PlacedOperation>> = {};
  for (const { path, method, operation } of operations) {
    const parameters = operation.parameters.map((parameter) => {
      const name = componentName(parameter);
      return shared[name] && isSame(shared[name], parameter) ? { $ref: `#/components/parameters/${name}` } : parameter;
    });
    paths[path] = { ...paths[path], [method]: { ...operation, parameters } };
  }
  return paths;
}

const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
