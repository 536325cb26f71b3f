import { nest } from '../body.ts';
import { asText, asTexts } from '../fields.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Call } from '../network.ts';
import { invalid } from './errors.ts';

/** Query, form and JSON are one; a value of the body wins. */
export function readInput(call: Call): JsonObject {
  return { ...nest(call.query), ...call.body.fields };
}

/** A list as JSON, as JSON text, or with commas. */
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

/** Undefined where it is no JSON. */
export function parsedJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
