/**
 * Whether a body's texts can be kept: PostgreSQL holds neither null characters nor halves of surrogate pairs. Without
 * recursion, because a body may be nested deeper than the stack.
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
