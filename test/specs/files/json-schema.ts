import type { Json } from '../../../src/foundation/lib/json.ts';
import { isObject } from '../exchange.ts';

/** The subset of JSON Schema that OpenAPI and Google's discovery documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | boolean;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
}

export type Resolve = (ref: string) => Schema;

/**
 * The violations of a value, in sentences. Stricter than JSON Schema in one point: a field that no part of the schema
 * names is wrong unless the schema allows others explicitly, because a vendor drops or rejects it.
 */
export function schemaProblems(value: Json, schema: Schema, resolve: Resolve, at = ''): string[] {
  const chosen = chosenSchema(value, schema.$ref === undefined ? schema : resolve(schema.$ref));
  // The schema selected by the discriminator includes the one that has the discriminator.
  if (chosen) return schemaProblems(value, { $ref: chosen }, (ref) => withoutChoice(resolve(ref)), at);
  return [...valueProblems(value, schema, resolve, at), ...unknownFields(value, schema, resolve, at)];
}

function chosenSchema(value: Json, { discriminator }: Schema): string | null {
  const choice = isObject(value) && discriminator ? value[discriminator.propertyName] : null;
  return (typeof choice === 'string' && discriminator?.mapping?.[choice]) || null;
}

const withoutChoice = ({ discriminator: _, ...schema }: Schema): Schema => schema;

function valueProblems(value: Json, given: Schema, resolve: Resolve, at: string): string[] {
  const schema = given.$ref === undefined ? given : resolve(given.$ref);
  if (schema.$ref !== undefined) return valueProblems(value, schema, resolve, at);
  if (value === null && isNullable(schema)) return [];
  const problems = [...typeProblems(value, schema, at), ...rangeProblems(value, schema, at)];
  for (const part of schema.allOf ?? []) problems.push(...valueProblems(value, part, resolve, at));
  for (const choices of [schema.oneOf, schema.anyOf]) {
    if (!choices) continue;
    const found = choices.map((choice) => schemaProblems(value, choice, resolve, at));
    // The best-matching alternative gives the best explanation.
    if (found.every((list) => list.length > 0)) problems.push(...found.toSorted((a, b) => a.length - b.length)[0]!);
  }
  if (Array.isArray(value) && schema.items) {
    const { items } = schema;
    problems.push(...value.flatMap((item, index) => schemaProblems(item, items, resolve, `${at}[${index}]`)));
  }
  if (isObject(value)) problems.push(...objectProblems(value, schema, resolve, at));
  return problems;
}

function objectProblems(value: { [name: string]: Json }, schema: Schema, resolve: Resolve, at: string): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((field) => !(field in value)).map((field) => `"${at}/${field}" is missing`);
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    const given = value[field];
    return given === undefined ? [] : schemaProblems(given, inner, resolve, `${at}/${field}`);
  });
  return [...missing, ...wrong];
}

const isNullable = (schema: Schema) =>
  schema.nullable === true || schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'));

function typeProblems(value: Json, { type, enum: allowed }: Schema, at: string): string[] {
  const types = typeof type === 'string' ? [type] : type;
  if (types && !types.some((one) => hasType(value, one))) {
    return [`"${at || '/'}" is ${shown(value)}, not ${types.join(' or ')}`];
  }
  if (allowed && !allowed.includes(value)) return [`"${at}" is ${shown(value)}, not one of ${shortList(allowed)}`];
  return [];
}

function hasType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  return type === 'any' || typeof value === type;
}

function rangeProblems(value: Json, schema: Schema, at: string): string[] {
  const problems: string[] = [];
  const check = (isWrong: boolean, rule: string) => isWrong && problems.push(`"${at}" is ${shown(value)}: ${rule}`);
  if (typeof value === 'string') {
    const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
    if (pattern !== undefined) check(!new RegExp(pattern, 'u').test(value), `it must match ${pattern}`);
    check(
      [...value].length < minLength || [...value].length > maxLength,
      `its length must be ${minLength} to ${maxLength}`,
    );
  }
  if (typeof value === 'number') {
    check(value < Number(schema.minimum ?? -Infinity), `at least ${schema.minimum}`);
    check(value > Number(schema.maximum ?? Infinity), `at most ${schema.maximum}`);
  }
  if (Array.isArray(value)) {
    check(value.length < (schema.minItems ?? 0), `at least ${schema.minItems} items`);
    check(value.length > (schema.maxItems ?? Infinity), `at most ${schema.maxItems} items`);
  }
  return problems;
}

function unknownFields(value: Json, schema: Schema, resolve: Resolve, at: string): string[] {
  if (!isObject(value)) return [];
  const known = knownFields(schema, resolve);
  if (known === 'any') return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (known.names.has(field)) return [];
    if (known.others) return schemaProblems(inner, known.others, resolve, `${at}/${field}`);
    return [`the field "${at}/${field}" is unknown`];
  });
}

interface KnownFields {
  readonly names: Set<string>;
  readonly others: Schema | null;
}

/** `any` if the schema says nothing about fields, or allows all. */
function knownFields(given: Schema, resolve: Resolve): KnownFields | 'any' {
  const schema = given.$ref === undefined ? given : resolve(given.$ref);
  if (schema.$ref !== undefined) return knownFields(schema, resolve);
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (!schema.properties && parts.length === 0 && typeof schema.additionalProperties !== 'object') return 'any';
  if (schema.additionalProperties === true) return 'any';
  const names = new Set(Object.keys(schema.properties ?? {}));
  let others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
  for (const part of parts) {
    const inner = knownFields(part, resolve);
    if (inner === 'any') {
      if (isObjectSchema(part, resolve)) return 'any';
      continue;
    }
    for (const field of inner.names) names.add(field);
    others ??= inner.others;
  }
  return { names, others };
}

const isObjectSchema = (part: Schema, resolve: Resolve) =>
  (part.$ref === undefined ? part : resolve(part.$ref)).type === 'object';

const shown = (value: Json) => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
const shortList = (values: readonly Json[]) => shown([...values]);
