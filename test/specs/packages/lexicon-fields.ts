import type { Json } from '../../../src/foundation/lib/json.ts';
import { isObject } from '../exchange.ts';

/** The parts needed to find unknown fields. */
export interface LexiconSchema {
  readonly type: string;
  readonly ref?: string;
  readonly refs?: readonly string[];
  readonly properties?: Readonly<Record<string, LexiconSchema>>;
  readonly items?: LexiconSchema;
  readonly record?: LexiconSchema;
  readonly parameters?: LexiconSchema;
  readonly input?: { readonly schema?: LexiconSchema };
  readonly output?: { readonly schema?: LexiconSchema };
}

export interface Lexicons {
  getDef(id: string): LexiconSchema | undefined;
  assertValidRecord(id: string, value: unknown): unknown;
  assertValidXrpcParams(id: string, value: unknown): unknown;
  assertValidXrpcInput(id: string, value: unknown): unknown;
  assertValidXrpcOutput(id: string, value: unknown): unknown;
}

/** Lexicons are open: a validator ignores unknown fields. A wrong name is found only here. */
export function unknownFields(value: Json, schema: LexiconSchema, base: string, lexicons: Lexicons, at = ''): string[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => unknownFields(item, items, base, lexicons, `${at}[${index}]`)) : [];
  }
  if (!isObject(value)) return [];
  const follow = (id: string) => {
    const definition = lexicons.getDef(id);
    return definition
      ? unknownFields(value, definition.record ?? definition, id, lexicons, at)
      : [`${at}: no lexicon ${id}`];
  };
  if (schema.type === 'ref') return follow(absolute(schema.ref ?? '', base));
  if (schema.type === 'union') return typeof value.$type === 'string' ? follow(value.$type) : [`${at} has no $type`];
  const { properties } = schema;
  if (!properties) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (field === '$type') return [];
    const known = properties[field];
    return known
      ? unknownFields(inner, known, base, lexicons, `${at}/${field}`)
      : [`the field "${at}/${field}" is unknown`];
  });
}

const absolute = (ref: string, base: string) =>
  ref.startsWith('#') ? base.split('#')[0] + ref : ref.replace(/^lex:/, '');
