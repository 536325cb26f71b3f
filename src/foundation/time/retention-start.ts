const dayMs = 86_400_000;

/** What is older than this may be deleted. Null: it is kept, however old it is. */
export const retentionStart = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() - days * dayMs);
