/** ISO 8601 with date, time, and `Z` or an offset. Any other form would depend on the reader's time zone. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Returns null for any other form and for dates that do not exist. */
export function parseInstant(text: string): Date | null {
  if (!instant.test(text)) return null;
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    return null;
  }
}
