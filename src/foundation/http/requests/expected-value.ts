import type { z } from 'zod';

/** A schema issue of any kind. */
type ValueIssue = Partial<
  Pick<z.core.$ZodIssueInvalidType, 'expected'> &
    Pick<z.core.$ZodIssueInvalidValue, 'values'> &
    Pick<z.core.$ZodIssueTooSmall, 'minimum' | 'origin'> &
    Pick<z.core.$ZodIssueTooBig, 'maximum'>
> & { code?: string };

/** The expected value, in words that follow "must be": `at least 1`, `one of: a, b`. Null if the issue does not say. */
export function expectedBy({ expected, values, minimum, maximum, origin = '' }: ValueIssue): string | null {
  if (values) return values.length === 1 ? String(values[0]) : `one of: ${values.join(', ')}`;
  const unit = units[origin] ?? '';
  if (minimum !== undefined) return `at least ${minimum}${unit}`;
  if (maximum !== undefined) return `at most ${maximum}${unit}`;
  return (expected && types[expected]) ?? null;
}

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' };
const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};
