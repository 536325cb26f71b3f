import type { Core } from '../app.ts';
import type { Db } from '../db/database.ts';
import {
  exportedApiKeys,
  exportedConnections,
  exportedLogs,
  exportedPlatformPosts,
  exportedUser,
  nextGroups,
  openGroups,
  type PartOfGroup,
} from './queries.ts';

/** How many post groups are in memory at once, however large the account is. */
const batchSize = 50;

/** Everything that a user owns, without secrets, as the pieces of one JSON document. `separator` is put between post groups. */
export async function* exportUser(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  userId: string,
  separator: string,
): AsyncGenerator<string> {
  // One snapshot, so that posts that are published in the meantime do not make it inconsistent.
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    yield `{"exportedAt":${JSON.stringify(clock.now())}`;
    yield `,"user":${JSON.stringify(await exportedUser(tx, userId))}`;
    yield `,"apiKeys":${JSON.stringify(await exportedApiKeys(tx, userId))}`;
    yield `,"connections":${JSON.stringify(await exportedConnections(tx, userId))}`;
    yield ',"postGroups":[';
    yield* groups(tx, userId, separator);
    yield ']}\n';
  } finally {
    await tx.rollback().execute();
  }
}

async function* groups(tx: Db, userId: string, separator: string): AsyncGenerator<string> {
  await openGroups(tx, userId);
  let before = separator;
  for (;;) {
    const batch = await nextGroups(tx, batchSize);
    if (batch.length === 0) return;
    const ids = batch.map(({ id }) => id);
    const platformPosts = byGroup(await exportedPlatformPosts(tx, ids));
    const logs = byGroup(await exportedLogs(tx, ids));
    for (const group of batch) {
      const { id } = group;
      yield before + JSON.stringify({ ...group, platformPosts: platformPosts.get(id) ?? [], logs: logs.get(id) ?? [] });
      before = `,${separator}`;
    }
  }
}

function byGroup(parts: readonly PartOfGroup[]): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const { postGroupId, ...part } of parts) {
    const found = groups.get(postGroupId);
    if (found) found.push(part);
    else groups.set(postGroupId, [part]);
  }
  return groups;
}
