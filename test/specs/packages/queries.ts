import type { Json } from '../../../src/foundation/lib/json.ts';
import type { JsonObject } from '../exchange.ts';

/** The parameters of a query. The named ones are lists with commas; `name[]` is a list too. */
export function queryObject(query: URLSearchParams, lists: (name: string) => boolean = () => false): JsonObject {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name): [string, Json] => {
      const values = query.getAll(name);
      if (name.endsWith('[]')) return [name.slice(0, -2), values];
      if (lists(name)) return [name, values.flatMap((value) => value.split(','))];
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** All field names in camel case, as in JavaScript libraries. */
export function camelCased(value: Json): Json {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]): [string, Json] => [camelCase(name), camelCased(inner as Json)]),
  );
}

export const camelCase = (name: string) => name.replace(/[_.](\w)/g, (_, letter: string) => letter.toUpperCase());
