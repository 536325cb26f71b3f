/**
 * Whether PostgreSQL can store all texts of a body: it stores neither null characters nor halves of surrogate pairs. Not
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

/** A body can have half a million numbers. */
const mayHoldText = (value: unknown) => typeof value === 'string' || typeof value === 'object';
