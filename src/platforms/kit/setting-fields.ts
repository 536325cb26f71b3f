import { z } from 'zod';

/** The kinds of settings. An error text completes a sentence that begins with the setting's path. */

export const flag = () => z.boolean({ error: 'must be a boolean' });

export const text = (error = 'must be a string') =>
  z
    .string({ error })
    // PostgreSQL's jsonb cannot store either.
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid Unicode without null characters');

export const choice = <const T extends string>(...values: [T, ...T[]]) => z.enum(values, { error: oneOf(values) });

/** The empty string means no choice. */
export const optionalChoice = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum([...values, ''], { error: oneOf(values) });

const oneOf = (values: readonly string[]) => `must be one of: ${values.join(', ')}`;
