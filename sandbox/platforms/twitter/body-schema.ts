import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { type Call, Refusal } from '../../platform.ts';
import { invalid, invalidRequest } from './errors.ts';

/** Returns the errors of a value, in the wording of the vendor's JSON Schema validator. */
export type Check = (value: Json, path: string) => string[];

/** Returns the JSON body if it is valid. */
export function readJsonBody(call: Call, check: Check): JsonObject {
  if (!call.headers['content-type']?.includes('json')) {
    invalid('Requests with bodies must have content-type of application/json.');
  }
  const found = check(call.body.fields, '$');
  if (found.length > 0) {
    throw new Refusal(invalidRequest(found.map((message) => ({ message, parameters: {} }))));
  }
  return call.body.fields;
}

export function object(shape: Record<string, Check>, required: readonly string[] = []): Check {
  return ofType('object', isObject, (value, path) => [
    ...required
      .filter((name) => value[name] === undefined)
      .map((name) => `${path}.${name}: is missing but it is required`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const check = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const unknown = `${path}.${name}: is not defined in the schema and the schema does not allow additional properties`;
      return check ? check(inner, `${path}.${name}`) : [unknown];
    }),
  ]);
}

export function list(item: Check, min: number, max: number): Check {
  return ofType('array', Array.isArray, (value, path) => [
    ...(value.length < min ? [`${path}: there must be a minimum of ${min} items in the array`] : []),
    ...(value.length > max ? [`${path}: there must be a maximum of ${max} items in the array`] : []),
    ...value.flatMap((inner: Json, index: number) => item(inner, `${path}[${index}]`)),
  ]);
}

export function text(max = Number.POSITIVE_INFINITY, min = 0): Check {
  return ofType('string', isText, (value, path) => {
    const length = Array.from(value).length;
    if (length < min) return [`${path}: must be at least ${min} characters long`];
    return length > max ? [`${path}: may only be ${max} characters long`] : [];
  });
}

export function oneOf(allowed: readonly string[]): Check {
  return ofType('string', isText, (value, path) =>
    allowed.includes(value) ? [] : [`${path}: does not have a value in the enumeration [${allowed.join(', ')}]`],
  );
}

export function wholeNumber(min: number, max: number): Check {
  return ofType('integer', isWhole, (value, path) => {
    if (value < min) return [`${path}: must have a minimum value of ${min}`];
    return value > max ? [`${path}: must have a maximum value of ${max}`] : [];
  });
}

export const id: Check = ofType('string', isText, (value, path) =>
  /^\d{1,19}$/.test(value) ? [] : [`${path}: does not match the regex pattern ^[0-9]{1,19}$`],
);

export const flag: Check = ofType(
  'boolean',
  (value) => typeof value === 'boolean',
  () => [],
);

export const anything: Check = () => [];

function ofType<T extends Json>(
  name: string,
  isIt: (value: Json) => value is T,
  check: (value: T, path: string) => string[],
): Check {
  return (value, path) => (isIt(value) ? check(value, path) : [`${path}: ${typeName(value)} found, ${name} expected`]);
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}

function isWhole(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}
