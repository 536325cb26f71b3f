/** Replaces what PostgreSQL text cannot hold: NUL and lone surrogates. Platforms send both occasionally. */
export const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{FFFD}');

/** Same, for a value to be stored as JSON, where they appear as escapes. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part));
}
