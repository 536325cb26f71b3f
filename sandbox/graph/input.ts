import { asText, asTexts } from '../http/coerce.ts';
import type { Json, JsonObject } from '../http/json.ts';
import { nest } from '../http/request-body.ts';
import type { Call } from '../platform.ts';
import { invalid } from './errors.ts';

/** Merges query, form and JSON. A value in the body wins. */
export function readInput(call: Call): JsonObject {
  return { ...nest(call.query), ...call.body.fields };
}

/** Accepts a JSON array, JSON text or a comma-separated list. */
export function listOf(value: Json | undefined, name: string): Json[] {
  const text = asText(value);
  if (text === '') return Array.isArray(value) ? value : [];
  if (!text.startsWith('[')) return text.split(',').map((item) => item.trim());
  const parsed = parsedJson(text);
  return Array.isArray(parsed) ? parsed : invalid(`Param ${name} must be an array.`);
}

export function namesIn(value: Json | undefined, name: string): string[] {
  return asTexts(listOf(value, name));
}

/** Returns undefined for invalid JSON. */
export function parsedJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
