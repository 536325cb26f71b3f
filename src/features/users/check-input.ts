import type { z } from 'zod';
import { isProblemKey, Problem } from '../../foundation/errors/index.ts';

/** Validates input that no route has validated. A message of the schema is a key of the problem table, or a text. */
export function checkInput<S extends z.ZodType>(schema: S, input: unknown): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { message = '', path = [] } = result.error.issues[0] ?? {};
  if (isProblemKey(message)) throw new Problem(message);
  throw new Problem('invalid_request', { error: `${path.join('.')}: ${message}` });
}
