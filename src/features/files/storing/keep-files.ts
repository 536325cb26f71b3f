import type { App } from '../../../app.ts';
import { lockFileDeletion } from './orphaned-file-queries.ts';

/**
 * While the work runs, no file of a record is deleted from the storage, in any process. What is to be deleted waits, and is
 * deleted afterwards. Deletions that have begun end first.
 */
export async function keepFiles<T>({ db }: Pick<App, 'db'>, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockFileDeletion(tx);
    return work();
  });
}
