import { z } from 'zod';

/** The kinds of settings. Each says what is wrong as the end of a sentence that begins with its path. */

export const flag = () => z.boolean({ error: 'must be a boolean' });

export const text = (error = 'must be a string') =>
  z
    .string({ error })
    // PostgreSQL's jsonb holds neither.
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid Unicode without null characters');

export const choice = <const T extends string>(...values: [T, ...T[]]) => z.enum(values, { error: oneOf(values) });

/** Or nothing, which is the empty string. */
export const optionalChoice = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum([...values, ''], { error: oneOf(values) });

const oneOf = (values: readonly string[]) => `must be one of: ${values.join(', ')}`;
