import { isObject, type Json, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import { invalidParameter } from '../errors.ts';

/** Resolves the URN of a field, for a decoration such as `original~:playableStreams`. */
export type Decorate = (urn: Json) => Json;

interface Field {
  readonly name: string;
  /** `name*(…)`: the fields of each item. */
  readonly isEach: boolean;
  readonly isDecorated: boolean;
  readonly inner: readonly Field[];
}

/**
 * Keeps the fields that `projection=(…)` names, and adds `name~` next to each URN it decorates. Only the unversioned
 * API does either.
 */
export function project(call: Call, value: JsonObject, decorate: Decorate): JsonObject {
  const projection = call.query.get('projection');
  if (projection === null || !call.path.startsWith('/v2/')) return value;
  const rest = { text: projection };
  const fields = readFields(rest);
  return rest.text === '' ? pick(value, fields, decorate) : invalidParameter('projection');
}

function readFields(rest: { text: string }): Field[] {
  const fields: Field[] = [];
  if (!take(rest, /^\(/)) invalidParameter('projection');
  do {
    const [, name = '', star, decorated] = take(rest, /^(\w+)(\*?)(~(?:\w*:playableStreams)?)?/) ?? [];
    if (name === '') invalidParameter('projection');
    const inner = rest.text.startsWith('(') ? readFields(rest) : [];
    fields.push({ name, isEach: star === '*', isDecorated: decorated !== undefined, inner });
  } while (take(rest, /^,/));
  if (!take(rest, /^\)/)) invalidParameter('projection');
  return fields;
}

function take(rest: { text: string }, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(rest.text);
  if (found) rest.text = rest.text.slice(found[0].length);
  return found;
}

function pick(value: Json, fields: readonly Field[], decorate: Decorate): JsonObject {
  if (!isObject(value)) return {};
  const picked: JsonObject = {};
  for (const { name, isEach, isDecorated, inner } of fields) {
    const own = value[name];
    if (own === undefined) continue;
    if (isDecorated) picked[`${name}~`] = decorate(own);
    if (isEach && isObject(own)) {
      picked[name] = Object.fromEntries(Object.entries(own).map(([key, item]) => [key, pick(item, inner, decorate)]));
    } else picked[name] = inner.length > 0 && !isDecorated ? pick(own, inner, decorate) : own;
  }
  return picked;
}

/** The sizes of an image, as `playableStreams` lists them, smallest first. */
export function playableStreams(address: string | null): Json {
  if (address === null) return { paging: { count: 10, start: 0, links: [] }, elements: [] };
  const identifier = { identifier: address, index: 0, mediaType: 'image/png', identifierType: 'EXTERNAL_URL' };
  return { paging: { count: 10, start: 0, links: [] }, elements: [{ identifiers: [identifier] }] };
}
