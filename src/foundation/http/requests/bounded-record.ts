import { z } from 'zod';
import { shownAs } from '../openapi/schemas.ts';

const bounded = new WeakSet<object>();
export const isBoundedRecord = (schema: object) => bounded.has(schema);

/**
 * An object with arbitrary keys. Its size is checked before its entries, because each invalid entry would add an issue.
 * For arrays, zod does the same with `max()`, if that is the first check.
 */
export function boundedRecord<Value extends z.ZodType>(values: Value, max: number, error?: string) {
  const entries = z.record(z.string(), values, error);
  const shown = entries.meta({ maxProperties: max });
  for (const schema of [entries, shown]) bounded.add(schema);
  const isSmall = (given: unknown) => typeof given !== 'object' || Object.keys(given ?? {}).length <= max;
  return shownAs(z.custom<z.input<typeof entries>>(isSmall, error).pipe(entries), shown);
}
