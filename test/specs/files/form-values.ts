import type { Json } from '../../../src/foundation/lib/json.ts';
import { isObject } from '../exchange.ts';
import type { Resolve, Schema } from './json-schema.ts';

/** Queries and forms have only texts, so a value has the type that its text can be parsed as. */
export function typedText(text: string, given: Schema | undefined, resolve: Resolve): Json {
  const schema = given?.$ref ? resolve(given.$ref) : given;
  const types = [schema?.type ?? []].flat();
  const isNumber = types.some((type) => type === 'integer' || type === 'number');
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** A query parameter. A list has commas, or repeats the parameter. */
export function queryValue(texts: readonly string[], given: Schema, resolve: Resolve): Json {
  const schema = given.$ref ? resolve(given.$ref) : given;
  if (schema.type !== 'array') return typedText(texts[0] ?? '', schema, resolve);
  return texts.flatMap((text) => text.split(',')).map((text) => typedText(text, schema.items, resolve));
}

/** The fields of a form, converted to the types of the schema. */
export function formValue(body: Json, given: Schema, resolve: Resolve): Json {
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, Json] => {
      // A file is recorded by its name, type and size.
      if (isObject(value) && typeof value.bytes === 'number') return [name, '(a file)'];
      return [name, typeof value === 'string' ? typedText(value, fieldOf(given, name, resolve), resolve) : value];
    }),
  );
}

function fieldOf(given: Schema, name: string, resolve: Resolve): Schema | undefined {
  const schema = given.$ref ? resolve(given.$ref) : given;
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return schema.properties?.[name] ?? parts.map((part) => fieldOf(part, name, resolve)).find((found) => found);
}
