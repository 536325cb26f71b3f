/**
 * Removes secrets from text for people and logs. Values shorter than six characters stay: they would blank out ordinary
 * words.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 6) clean = clean.replaceAll(secret, '[secret]');
  }
  return clean;
}

/** Collects every string inside a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(stringsIn);
}
