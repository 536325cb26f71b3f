const dayMs = 86_400_000;

/** Anything older than this may be deleted. Null: kept indefinitely. */
export const retentionStart = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() - days * dayMs);
