import { asText } from '../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { badRequest } from './errors.ts';

export function flagOf(value: Json | undefined): boolean {
  return ['true', 'yes', '1'].includes(asText(value).toLowerCase());
}

/** In JSON, an object is sent as an object; everywhere else it is JSON text. */
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
