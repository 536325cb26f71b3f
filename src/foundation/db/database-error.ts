/**
 * Our own database failed. This says nothing about a platform: work that was interrupted continues when the database is
 * back.
 */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  constructor(cause: unknown) {
    super('The database failed.', { cause });
  }
}

/** Tells failures of the database apart from failures of a platform, in code where both can happen. */
export const wrapDatabaseErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(new DatabaseError(cause)));
