/** Takes secrets out of what people and logs get to see. Short values are left alone: they would blank ordinary words. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 6) clean = clean.replaceAll(secret, '[secret]');
  }
  return clean;
}

/** Every string inside a value, however deep: all of a connection's credentials count as secret. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(stringsIn);
}
