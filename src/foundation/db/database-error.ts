/**
 * Our own database failed. This says nothing about a platform: interrupted work continues once the database is back.
 */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  constructor(cause: unknown) {
    super('The database failed.', { cause });
  }
}

/** Distinguishes database failures from platform failures in code where both can happen. */
export const wrapDatabaseErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(new DatabaseError(cause)));
