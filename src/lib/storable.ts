/** What a network says may hold what PostgreSQL cannot: NUL, and halves of surrogate pairs. */
export const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{FFFD}');

/** As JSON, in which those are escapes. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part));
}
