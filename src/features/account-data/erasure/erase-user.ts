import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { retryTransient } from '../../../foundation/db/retry-transient.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { deactivateUser } from '../../accounts/operator/switches.ts';
import { eraseUser as eraseRow, ownedBy } from '../../accounts/operator/users.ts';
import { operatorActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { disconnectUser } from '../../connections/disconnect.ts';
import { deleteOrphanedFiles } from '../../files/storing/orphaned-files.ts';
import { deleteSomeDeliveries, deleteSomeGroups, stopWebhooks } from './delete-queries.ts';

/** Small enough that other users' requests do not wait for it. */
const batchSize = 500;
const batchesPerReport = 10;

type ErasingApp = Pick<App, 'db' | 'clock' | 'newId'>;

/** What has been done so far. */
export type Progress =
  | { connections: number }
  | { posts: number; ofPosts: number }
  | { deliveries: number }
  | { filesLeft: Error };

interface Erasure {
  by?: Actor;
  report?: (progress: Progress) => void;
  /** Checked between batches. */
  signal?: AbortSignal | undefined;
  /** Part of the transaction that deletes the user, who had this address until then. */
  atEnd?: (tx: Db, email: string) => Promise<unknown>;
}

/**
 * Deletes the user with everything it owns. First, no one can act as the user any more. Then nothing can be published,
 * because its connections and credentials are gone. After a crash, another run continues where this one ended. Files
 * are deleted by `deleteOrphanedFiles`.
 */
export async function eraseRecords(app: ErasingApp, user: { id: string }, erasure: Erasure = {}) {
  const { by = operatorActor(), report = () => {}, signal, atEnd } = erasure;
  const { postGroups, managedUsers } = await ownedBy(app, user.id);
  if (managedUsers > 0) throw new Problem('user_has_managed_users');
  await deactivateUser(app, user.id, by);
  await stopWebhooks(app.db, user.id);
  const connections = await disconnectUser(app, user.id, by);
  report({ connections });
  const posts = await inBatches(app.db, user.id, deleteSomeGroups, signal, (deleted) =>
    report({ posts: deleted, ofPosts: postGroups }),
  );
  await inBatches(app.db, user.id, deleteSomeDeliveries, signal, (deliveries) => report({ deliveries }));
  await eraseRow(app, user, by, atEnd);
  return { connections, posts };
}

/** The same with the files. */
export async function eraseUser(
  app: ErasingApp & Pick<App, 'storage'>,
  user: { id: string },
  report: (progress: Progress) => void,
) {
  const done = await eraseRecords(app, user, { report });
  const filesLeft = await deleteOrphanedFiles(app).then(
    () => false,
    (error: Error) => {
      report({ filesLeft: error });
      return true;
    },
  );
  return { ...done, filesLeft };
}

async function inBatches(
  db: Db,
  userId: string,
  deleteSome: (db: Db, userId: string, limit: number) => Promise<number>,
  signal: AbortSignal | undefined,
  report: (deleted: number) => void,
): Promise<number> {
  let total = 0;
  for (let batch = 1; ; batch += 1) {
    signal?.throwIfAborted();
    // A publisher may be writing the outcome of a post. If the two deadlock, PostgreSQL aborts one of them.
    const deleted = await retryTransient(() => deleteSome(db, userId, batchSize));
    total += deleted;
    if (deleted < batchSize) return total;
    if (batch % batchesPerReport === 0) report(total);
  }
}
