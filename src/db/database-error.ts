/** Our own database failed us. No verdict on anybody else: what was under way is taken up again when it is back. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  constructor(cause: unknown) {
    super('The database failed.', { cause });
  }
}

/** Marks trouble with the database as such, where trouble of a network is about as well. */
export const wrapDatabaseErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(new DatabaseError(cause)));
