import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Convert = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

const shownShapes = new WeakMap<object, z.ZodType>();

/**
 * Validates with `schema`, but shows `shown` in the document. For fields that pass unchecked because a use-case checks
 * them and returns the contract's own error text.
 */
export function shownAs<T extends z.ZodType>(schema: T, shown: z.ZodType): T {
  shownShapes.set(schema, shown);
  return schema;
}

/** The shape that the document shows for a schema, if it differs from the schema. */
export const shownShape = (schema: unknown): z.ZodType | undefined =>
  schema instanceof z.ZodType ? shownShapes.get(schema) : undefined;

/** Converts zod to JSON Schema. Shapes with `.meta({ id })` become components, and are referenced elsewhere. */
export function schemaConverter() {
  const components: Record<string, JsonSchema> = {};

  const convert: Convert = (schema, io) => {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const shown = shownShapes.get(zodSchema);
        if (shown) replaceBy(jsonSchema, convert(shown, 'input'));
        tidy(zodSchema._zod.def, jsonSchema, io);
      },
    });
    for (const [name, definition] of Object.entries($defs)) addComponent(name, withComponentRefs(definition));
    return withComponentRefs(root);
  };

  function addComponent(name: string, schema: JsonSchema) {
    components[name] ??= schema;
    if (!isDeepStrictEqual(components[name], schema)) {
      throw new Error(`${name} is not the same as input and as output: name the two apart.`);
    }
  }

  return { convert, components };
}

/** Keep the schema's own description: it describes the field, the other one the shape. */
function replaceBy(schema: JsonSchema, shown: JsonSchema) {
  const { description = shown.description } = schema;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, shown, description && { description });
}

/** Removes what is useless to readers, and what would forbid adding fields to a response. */
function tidy(def: { type: string; catchall?: unknown }, schema: JsonSchema, io: 'input' | 'output') {
  if (io === 'output' && def.type === 'object' && !def.catchall) delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The pattern of an email address or a UUID says the same as its format.
  if (schema.format) delete schema.pattern;
  // The keys of a JSON object are always strings.
  delete schema.propertyNames;
}

/** zod writes `#/$defs/PostGroup`, OpenAPI `#/components/schemas/PostGroup`. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}
