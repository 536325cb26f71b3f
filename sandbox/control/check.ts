import type { Json, JsonObject } from '../json.ts';

/** Says which field is wrong and what would be right. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}

/** Reads one field; `undefined` means that it was left out. Throws what is allowed, as the end of "`x` must be …". */
export type Check<T> = (value: Json | undefined) => T;
type Checked<S extends Record<string, Check<unknown>>> = { [K in keyof S]: ReturnType<S[K]> };

/** Every field by its check, and no field beyond them. Written by hand: zod alone would add 9 MB to an idle sandbox. */
export function check<S extends Record<string, Check<unknown>>>(input: JsonObject, shape: S): Checked<S> {
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    throw new InvalidInput(
      `\`${unknown}\` is not known here. Allowed fields: ${Object.keys(shape).join(', ') || 'none'}.`,
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
  if (typeof value !== 'string' || value.trim() === '') throw new Error('a text that is not empty');
  return value;
};
