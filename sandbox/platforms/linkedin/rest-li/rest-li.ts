import { asCount } from '../../../http/coerce.ts';
import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { invalidParameter, malformed } from '../errors.ts';

// Conventions of Rest.li, the HTTP framework of all LinkedIn resources.

const defaultCount = 10;
const maxCount = 100;

export function pageOf<T>(call: Call, elements: readonly T[]) {
  const start = asCount(call.query.get('start'), 0, Number.MAX_SAFE_INTEGER);
  const count = asCount(call.query.get('count'), defaultCount, maxCount);
  return {
    paging: { start, count, links: [], total: elements.length },
    elements: elements.slice(start, start + count),
  };
}

/** Reads `name=List(a,b)`. Undefined when absent. Only version 2 of the protocol has this form. */
export function readList(call: Call, name: string): string[] | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const [, inner] = /^List\((.*)\)$/.exec(value) ?? [];
  if (inner === undefined || !speaksVersion2(call)) invalidParameter(name);
  return inner.split(',').filter(Boolean);
}

/** Returns `name=(…)` as text. The caller parses the inner part. */
export function readTuple(call: Call, name: string): string | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  if (!/^\(.*\)$/.test(value) || !speaksVersion2(call)) invalidParameter(name);
  return value;
}

/** `(actor:urn%3Ali%3A…,entity:urn%3Ali%3A…)` */
export function isCompoundKey(segment: string): boolean {
  return /^\(\w+:[^(),':]+(,\w+:[^(),':]+)*\)$/.test(segment);
}

/** Only the id in the header is guaranteed. An account whose handle contains `terse` gets no body. */
export function created(actor: Account, id: string, body: JsonObject): HttpResponse {
  const headers = { 'x-restli-id': id };
  return actor.handle.includes('terse') ? empty(201, headers) : json(body, 201, headers);
}

/** The body must contain the required fields and may contain the optional ones. */
export function checkFields(body: JsonObject, required: readonly string[], optional: readonly string[]): void {
  const unknown = Object.keys(body).filter((name) => !required.includes(name) && !optional.includes(name));
  const missing = required.filter((name) => body[name] === undefined || body[name] === null);
  const findings = [
    ...unknown.map((name) => `/${name} :: unrecognized field found but not allowed`),
    ...missing.map((name) => `/${name} :: field is required but not found and has no default value`),
  ];
  if (findings.length > 0) malformed(findings);
}

function speaksVersion2(call: Call): boolean {
  return call.headers['x-restli-protocol-version'] === '2.0.0';
}
