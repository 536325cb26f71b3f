import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import { invalid } from './errors.ts';
import { type Check, object } from './repo/lexicon.ts';

/** Returns the JSON body of a procedure after checking it. */
export function readInput(
  call: Call,
  required: Record<string, Check>,
  optional: Record<string, Check> = {},
): JsonObject {
  const type = call.headers['content-type'] ?? '';
  if (call.body.bytes.length === 0) invalid('A request body is expected but none was provided');
  if (!type.startsWith('application/json')) invalid(`Wrong request encoding (Content-Type): ${type}`);
  const finding = object(required, optional)(call.body.fields, '$');
  if (finding !== undefined) invalid(finding);
  return call.body.fields;
}

/** Some procedures take no body and reject even an empty object. */
export function refuseInput(call: Call): void {
  if (call.body.bytes.length > 0) invalid('A request body was provided when none was expected');
}

export function readParameter(call: Call, name: string): string {
  return call.query.get(name) ?? invalid(`Missing required key "${name}" at $`);
}

export function readLimit(call: Call, fallback: number, maximum = 100): number {
  const given = call.query.get('limit');
  if (given === null) return fallback;
  const limit = Number(given);
  if (!Number.isInteger(limit)) invalid(`Expected integer value type (got ${JSON.stringify(given)}) at $.limit`);
  if (limit < 1) invalid(`integer too small (minimum 1, got ${limit}) at $.limit`);
  if (limit > maximum) invalid(`integer too big (maximum ${maximum}, got ${limit}) at $.limit`);
  return limit;
}
