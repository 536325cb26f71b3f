/** The part of a JSON Schema that tests use. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A valid value without any optional parts. */
export function sampleOf(schema: JsonSchema): unknown {
  const { type, anyOf, items = {}, properties = {}, required = [], minimum = 1 } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (type === 'array') return [sampleOf(items)];
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type !== 'object') return 'f'.repeat(24);
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

/** Invalid values: of another type, or beyond each bound. */
export function violationsOf(schema: JsonSchema): unknown[] {
  const kinds: unknown[] = [null, true, 5, 'nonsense', [], {}];
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items = {} } = schema;
  return [
    ...kinds,
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength === undefined ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minItems === undefined ? [] : [Array(minItems - 1).fill(sampleOf(items))]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(sampleOf(items))]),
    ...(schema.items ? [[true]] : []),
  ].filter((value) => !allows(schema, value));
}

/** Whether the schema allows one of the values above. */
function allows(schema: JsonSchema, value: unknown): boolean {
  const { type, anyOf, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  if (anyOf) return anyOf.some((option) => allows(option, value));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (type === 'string')
    return typeof value === 'string' && (!pattern || new RegExp(pattern).test(value)) && fits(value);
  if (type === 'integer' || type === 'number') return typeof value === 'number' && value >= minimum && value <= maximum;
  if (type === 'array')
    return Array.isArray(value) && fits(value) && value.every((item) => allows(schema.items ?? {}, item));
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !schema.required?.length;
  return type === undefined || (type === 'null' ? value === null : typeof value === type);

  function fits({ length }: string | unknown[]) {
    const [least, most] =
      typeof value === 'string' ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
    return length >= (least ?? 0) && length <= (most ?? Infinity);
  }
}
