/** ISO 8601 with a date, a time, and `Z` or an offset: the only form whose meaning does not depend on where it is read. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Null for any other form, and for dates that do not exist. */
export function parseInstant(text: string): Date | null {
  if (!instant.test(text)) return null;
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    return null;
  }
}
