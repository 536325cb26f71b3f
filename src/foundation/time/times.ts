/** ISO 8601 with date, time, and `Z` or an offset. Any other form would depend on the reader's time zone. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An offset can result in a later moment, whose text has more digits and no longer matches. */
export const latestInstant = new Date('9999-12-31T23:59:59.999Z');

/** Returns null for any other form, for dates that do not exist, and for moments after the year 9999. */
export function parseInstant(text: string): Date | null {
  if (!instant.test(text)) return null;
  try {
    const time = new Date(Temporal.Instant.from(text).epochMilliseconds);
    return time > latestInstant ? null : time;
  } catch {
    return null;
  }
}
