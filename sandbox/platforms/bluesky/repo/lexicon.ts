import { isObject, type Json } from '../../../http/json.ts';
import { isCid, readBlob } from './cid.ts';
import { isTid, parseAtUri } from './identifiers.ts';

/** Returns the vendor's error message for a value, or undefined when the value is valid. */
export type Check = (value: Json, path: string) => string | undefined;

interface TextRules {
  readonly maxBytes?: number;
  readonly maxGraphemes?: number;
  readonly format?: keyof typeof formats;
}

const formats = {
  'at-uri': { name: 'at-uri', matches: (text: string) => parseAtUri(text) !== undefined },
  cid: { name: 'CID string', matches: isCid },
  datetime: { name: 'datetime', matches: isDatetime },
  did: { name: 'DID', matches: (text: string) => /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/.test(text) },
  language: { name: 'language', matches: (text: string) => /^(i|[a-z]{2,3})(-[a-zA-Z0-9]+)*$/.test(text) },
  tid: { name: 'TID string', matches: isTid },
  uri: { name: 'uri', matches: (text: string) => /^\w+:(?:\/\/)?[^\s/]\S*$/.test(text) },
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function text({ maxBytes = Infinity, maxGraphemes = Infinity, format }: TextRules = {}): Check {
  return (value, path) => {
    if (typeof value !== 'string') return wrongType('string', value, path);
    const bytes = Buffer.byteLength(value);
    if (bytes > maxBytes) return tooBig('string', maxBytes, bytes, path);
    if (value.length > maxGraphemes) {
      const count = [...graphemes.segment(value)].length;
      if (count > maxGraphemes) return tooBig('grapheme', maxGraphemes, count, path);
    }
    if (format === undefined || formats[format].matches(value)) return undefined;
    return `Invalid ${formats[format].name} (got ${show(value)}) at ${path}`;
  };
}

export function integer(minimum: number): Check {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) return wrongType('integer', value, path);
    return Number(value) < minimum ? `integer too small (minimum ${minimum}, got ${value}) at ${path}` : undefined;
  };
}

export const flag: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : wrongType('boolean', value, path);

export const anyObject: Check = (value, path) => (isObject(value) ? undefined : wrongType('object', value, path));

export function list(item: Check, max = Infinity): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return wrongType('array', value, path);
    if (value.length > max) return tooBig('array', max, value.length, path);
    return firstOf(value.map((one, index) => () => item(one, `${path}[${index}]`)));
  };
}

/** Keys that neither list names are ignored, as the vendor does. */
export function object(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, path) => {
    if (!isObject(value)) return wrongType('object', value, path);
    const missing = Object.keys(required).find((key) => value[key] === undefined);
    if (missing !== undefined) return `Missing required key "${missing}" at ${path}`;
    const checks = Object.entries({ ...required, ...optional });
    return firstOf(
      checks.map(([key, check]) => () => {
        const inner = value[key];
        return inner === undefined ? undefined : check(inner, `${path}.${key}`);
      }),
    );
  };
}

/** The union is open: a value of an unknown type passes unchecked. */
export function union(types: Record<string, Check>): Check {
  return (value, path) => {
    if (!isObject(value) || value.$type === undefined) {
      return wrongType('an object which includes the "$type" property', value, path);
    }
    if (typeof value.$type !== 'string') return wrongType('string', value.$type, `${path}.$type`);
    return types[value.$type]?.(value, path);
  };
}

export function blob(accept: string, maxSize: number): Check {
  const isAccepted = (type: string) => (accept.endsWith('/*') ? type.startsWith(accept.slice(0, -1)) : type === accept);
  return (value, path) => {
    const found = readBlob(value);
    if (!found) return wrongType('blob', value, path);
    if (!isAccepted(found.mimeType)) {
      return `Expected ${show(accept)} (got ${show(found.mimeType)}) at ${path}.mimeType`;
    }
    return found.size > maxSize ? tooBig('blob', maxSize, found.size, path) : undefined;
  };
}

export function tooBig(what: string, maximum: number, actual: number, path: string): string {
  return `${what} too big (maximum ${maximum}, got ${actual}) at ${path}`;
}

function wrongType(expected: string, value: Json, path: string): string {
  return `Expected ${expected} value type (got ${show(value)}) at ${path}`;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const finding = check();
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function show(value: Json): string {
  if (Array.isArray(value)) return `[${shorten(value.map(show))}]`;
  if (isObject(value)) return `{${shorten(Object.keys(value).map((key) => `${JSON.stringify(key)}: ...`))}}`;
  return JSON.stringify(typeof value === 'string' && value.length >= 256 ? `${value.slice(0, 255)}…` : value);
}

function shorten(parts: readonly string[]): string {
  return parts.slice(0, 2).join(', ') + (parts.length > 2 ? ', ...' : '');
}

function isDatetime(text: string): boolean {
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  return pattern.test(text) && text.length <= 64 && !text.endsWith('-00:00') && !Number.isNaN(Date.parse(text));
}
