declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the JSON text of the body contains nothing that could not be stored. */
    isPlain: boolean;
  }
}

/**
 * Whether PostgreSQL can store all texts of a body: it accepts neither null characters nor lone surrogates. Not
 * recursive, because a body can be nested deeper than the stack allows.
 */
export function isStorable(body: unknown): boolean {
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    const items = Array.isArray(value) ? [value] : [Object.keys(value), Object.values(value)];
    for (const list of items) for (const item of list) if (mayHoldText(item)) open.push(item);
  }
  return true;
}

/** Whether a JSON text cannot contain what `isStorable` looks for. Most cannot, which saves checking each value. */
export const isPlain = (json: string) => json.isWellFormed() && !/\\u(?:0000|d[89a-f])/i.test(json);

/** A body can have half a million numbers. */
const mayHoldText = (value: unknown) => typeof value === 'string' || typeof value === 'object';
