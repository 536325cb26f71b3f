import type { Json, JsonObject } from '../http/json.ts';

/** Its message names the wrong field and states what is allowed. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}

/**
 * Reads one field; `undefined` means that it is absent. On failure it throws the end of the sentence "`x` must be …".
 */
export type Check<T> = (value: Json | undefined) => T;
type Checked<S extends Record<string, Check<unknown>>> = { [K in keyof S]: ReturnType<S[K]> };

/**
 * Checks every field of `shape` and rejects unknown fields. This is written by hand because zod would add 9 MB to an
 * idle sandbox.
 */
export function check<S extends Record<string, Check<unknown>>>(input: JsonObject, shape: S): Checked<S> {
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    throw new InvalidInput(
      `\`${unknown}\` is not a field of this request. Allowed fields: ${Object.keys(shape).join(', ') || 'none'}.`,
    );
  }
  const entries = Object.entries(shape).map(([name, read]) => {
    try {
      return [name, read(input[name])];
    } catch (error) {
      throw new InvalidInput(`\`${name}\` must be ${(error as Error).message}.`);
    }
  });
  return Object.fromEntries(entries);
}

export function optional<T>(inner: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined || value === null || value === '' ? undefined : inner(value));
}

export function oneOf<const T extends string>(allowed: readonly T[]): Check<T> {
  return (value) => {
    const found = allowed.find((name) => name === value);
    if (found === undefined) throw new Error(`one of: ${allowed.join(', ')}`);
    return found;
  };
}

export function wholeNumber(min: number, max: number): Check<number> {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw new Error(`a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

export const flag: Check<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new Error('true or false');
  return value;
};

export const someText: Check<string> = (value) => {
  if (typeof value !== 'string' || value.trim() === '') throw new Error('a non-empty string');
  return value;
};
