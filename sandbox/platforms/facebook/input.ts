import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { nest } from '../../http/request-body.ts';
import type { Call } from '../../platform.ts';
import { invalid } from './errors.ts';

/** Merges query, form, JSON and multipart. A value in the body wins. */
export function readInput(call: Call): JsonObject {
  return { ...nest(call.query), ...call.body.fields };
}

/** Accepts a JSON array, JSON text, or a form's `name[0]=…&name[1]=…`. Each item may again be JSON text. */
export function listOf(value: Json | undefined, name: string): Json[] {
  if (value === undefined || value === null || value === '') return [];
  const parsed = parsedJson(value, name);
  const items = Array.isArray(parsed)
    ? parsed
    : isObject(parsed)
      ? Object.values(parsed)
      : invalid(`Param ${name} must be an array.`);
  return items.map((item) => parsedJson(item, name));
}

/** The default is true. */
export function isPublished(input: JsonObject): boolean {
  return !['false', '0'].includes(String(input.published ?? 'true'));
}

function parsedJson(value: Json, name: string): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    invalid(`Param ${name} must be valid JSON.`);
  }
}
