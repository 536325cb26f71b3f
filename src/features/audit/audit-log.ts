import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { AuditEntry } from './audit-entry.ts';
import { insertAuditEntries, selectAuditEntries } from './queries.ts';

/** Call it in the transaction of the change, so that there is no change without an entry. */
export const recordAudit = (app: Pick<App, 'clock' | 'newId'>, db: Db, entry: AuditEntry) =>
  recordAudits(app, db, [entry]);

/** Like `recordAudit`, for changes to many accounts. */
export async function recordAudits(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  db: Db,
  entries: readonly AuditEntry[],
): Promise<void> {
  const at = clock.now();
  for (let start = 0; start < entries.length; start += batchSize) {
    const batch = entries.slice(start, start + batchSize);
    await insertAuditEntries(
      db,
      batch.map((entry) => ({ ...entry, id: newId(), at })),
    );
  }
}

/** A statement has at most 65,535 parameters. */
const batchSize = 1000;

/**
 * One page of a user's log, newest first, and the start of the next page. To the owner of the workspace, it shows only
 * what that owner did: the rest, such as sign-ins with their addresses, is private to the user.
 */
export async function readAuditLog(
  { db }: Pick<App, 'db'>,
  userId: string,
  { before, limit, ownerId = null }: { before?: string | undefined; limit: number; ownerId?: string | null },
) {
  const found = await selectAuditEntries(db, userId, {
    before: before?.toLowerCase() ?? null,
    limit: limit + 1,
    ownerId,
  });
  const entries = found.slice(0, limit);
  return { entries, nextBefore: found.length > limit ? entries.at(-1)!.id : null };
}
