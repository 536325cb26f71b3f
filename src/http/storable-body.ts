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
    for (const [key, item] of Object.entries(value)) open.push(key, item);
  }
  return true;
}
