import { asText } from '../../fields.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { badRequest } from './errors.ts';

/** Query, form, JSON and multipart are one; a value of the body wins. */
export function readArguments(call: Call): JsonObject {
  return { ...Object.fromEntries(call.query), ...call.body.fields };
}

export function flagOf(value: Json | undefined): boolean {
  return ['true', 'yes', '1'].includes(asText(value).toLowerCase());
}

/** An object comes as it is in JSON, and as JSON text everywhere else. */
export function objectOf(value: Json | undefined, name: string): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const object = parsed(value, `Can't parse ${name} JSON object`);
  return isObject(object) ? object : badRequest(`Object expected as ${name}`);
}

export function listOf(value: Json | undefined, name: string): Json[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list = parsed(value, `Can't parse ${name} JSON object`);
  return Array.isArray(list) ? list : undefined;
}

function parsed(value: Json, complaint: string): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    badRequest(complaint);
  }
}
