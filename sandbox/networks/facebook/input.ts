import { nest } from '../../body.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { invalid } from './errors.ts';

/** Query, form, JSON and multipart are one; a value of the body wins. */
export function readInput(call: Call): JsonObject {
  return { ...nest(call.query), ...call.body.fields };
}

/** A list as JSON, as JSON text, or as a form's `name[0]=…&name[1]=…`, each of whose items may be JSON text again. */
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

/** What is not said is true. */
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
