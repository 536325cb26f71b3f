import { asCount } from '../../fields.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { invalidParameter, malformed } from './errors.ts';

// The dialect of HTTP that all of the vendor's resources speak.

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

/** `name=List(a,b)`. Undefined when it was left out. Only version 2 of the protocol knows this form. */
export function readList(call: Call, name: string): string[] | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const [, inner] = /^List\((.*)\)$/.exec(value) ?? [];
  if (inner === undefined || !speaksVersion2(call)) invalidParameter(name);
  return inner.split(',').filter(Boolean);
}

/** `name=(…)` as text; whoever asks knows what is inside. */
export function readTuple(call: Call, name: string): string | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  if (!/^\(.*\)$/.test(value) || !speaksVersion2(call)) invalidParameter(name);
  return value;
}

/** Several edits share an address with a creation; only this header tells them apart. */
function isPartialUpdate(call: Call): boolean {
  return String(call.headers['x-restli-method']).toUpperCase() === 'PARTIAL_UPDATE';
}

/** `{"patch":{"$set":{…}}}` */
export function readPatch(call: Call): JsonObject {
  const { patch } = call.body.fields;
  const set = isObject(patch) ? patch.$set : undefined;
  if (!isPartialUpdate(call) || !isObject(set)) malformed(['/patch :: field is required but not found']);
  return set;
}

/** What a body must hold, and what it may hold beyond that. */
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
