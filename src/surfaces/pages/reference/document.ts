import { z } from 'zod';

/** A JSON schema, as far as people are told about it. */
export interface Schema {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  description?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  default?: unknown;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  allOf?: Schema[] | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: Schema | boolean | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z
    .object({
      $ref: z.string(),
      type: z.union([z.string(), z.array(z.string())]),
      format: z.string(),
      description: z.string(),
      const: z.unknown(),
      enum: z.array(z.unknown()),
      default: z.unknown(),
      anyOf: z.array(Schema),
      oneOf: z.array(Schema),
      allOf: z.array(Schema),
      items: Schema,
      properties: z.record(z.string(), Schema),
      required: z.array(z.string()),
      additionalProperties: z.union([z.boolean(), Schema]),
      minimum: z.number(),
      maximum: z.number(),
      minLength: z.number(),
      maxLength: z.number(),
      minItems: z.number(),
      maxItems: z.number(),
    })
    .partial(),
);

const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown() }).partial());
const Body = z.object({ description: z.string(), content: Content }).partial();
export type Body = z.output<typeof Body>;
const Parameter = z
  .object({ name: z.string(), in: z.string(), required: z.boolean(), description: z.string(), schema: Schema })
  .partial();
const Reference = z.object({ $ref: z.string() });
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z.array(z.union([Reference, Parameter])).default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.union([Reference, Body])),
});
export type Operation = z.output<typeof Operation>;

/** What the reference shows of the OpenAPI document. */
export const ReferenceDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), 'x-crier-version': z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), Schema),
    parameters: z.record(z.string(), Parameter).default({}),
    responses: z.record(z.string(), Body).default({}),
  }),
});
export type ReferenceDocument = z.output<typeof ReferenceDocument>;

export const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';

/** The operations of a tag, in the order of the document. */
export function operationsOf(tag: string, { paths }: ReferenceDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export const parametersOf = ({ parameters }: Operation, { components }: ReferenceDocument) =>
  parameters.map((each) => ('$ref' in each ? (components.parameters[nameIn(each.$ref)] ?? {}) : each));
