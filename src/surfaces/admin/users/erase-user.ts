import type { Core } from '../../../app.ts';
import { deactivateUser } from '../../../features/accounts/operator/switches.ts';
import { eraseUser as eraseRow, ownedBy } from '../../../features/accounts/operator/users.ts';
import { operatorActor } from '../../../features/audit/actors.ts';
import { disconnectUser } from '../../../features/connections/disconnect.ts';
import { deleteOrphanedFiles } from '../../../features/files/storing/orphaned-files.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { retryTransient } from '../../../foundation/db/retry-transient.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { counted } from '../print-result.ts';
import { deleteSomeDeliveries, deleteSomeGroups, stopWebhooks } from './delete-queries.ts';

/** Small enough that other users' requests do not wait for it. */
const batchSize = 500;
const batchesPerReport = 10;

/**
 * Deletes the user with everything it owns. First, no one can act as the user any more. Then nothing can be published,
 * because its connections and credentials are gone. After a crash, another run continues where this one ended.
 */
export async function eraseUser(core: Core, user: { id: string; email: string }, report: (progress: string) => void) {
  const { postGroups, managedUsers } = await ownedBy(core, user.id);
  if (managedUsers > 0) throw new Problem('user_has_managed_users');
  await deactivateUser(core, user.id);
  await stopWebhooks(core.db, user.id);
  const connections = await disconnectUser(core, user.id, operatorActor());
  report(`The account is closed, with ${counted(connections, 'connection')}. Nothing more is published.`);
  const posts = await inBatches(core.db, user.id, deleteSomeGroups, (deleted) =>
    report(`Deleted so far: ${deleted.toLocaleString('en-US')} of ${counted(postGroups, 'post')}.`),
  );
  await inBatches(core.db, user.id, deleteSomeDeliveries, (deleted) =>
    report(`Deleted so far: ${deleted.toLocaleString('en-US')} webhook deliveries.`),
  );
  await eraseRow(core, user);
  const filesLeft = await deleteOrphanedFiles(core).then(
    () => false,
    (error: Error) => {
      report(
        `Some files are still in the storage (${error.message}). A running Crier retries the deletion every minute.`,
      );
      return true;
    },
  );
  return { connections, posts, filesLeft };
}

async function inBatches(
  db: Db,
  userId: string,
  deleteSome: (db: Db, userId: string, limit: number) => Promise<number>,
  report: (deleted: number) => void,
): Promise<number> {
  let total = 0;
  for (let batch = 1; ; batch += 1) {
    // A publisher may be writing the outcome of a post. If the two deadlock, PostgreSQL aborts one of them.
    const deleted = await retryTransient(() => deleteSome(db, userId, batchSize));
    total += deleted;
    if (deleted < batchSize) return total;
    if (batch % batchesPerReport === 0) report(total);
  }
}
