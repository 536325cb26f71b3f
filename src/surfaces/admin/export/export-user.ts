import type { Core } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import * as read from '../queries.ts';

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
    for (const [name, part] of Object.entries(smallParts)) {
      yield `,"${name}":${JSON.stringify(await part(tx, userId))}`;
    }
    yield* list('auditLog', read.exportedAuditLog(tx, userId), separator);
    yield* list('requests', read.exportedRequests(tx, userId), separator);
    yield* list('composerDrafts', read.exportedDrafts(tx, userId), separator);
    yield* list('webhookDeliveries', read.exportedDeliveries(tx, userId), separator);
    yield* list('postGroups', groups(tx, userId), separator);
    yield '}\n';
  } finally {
    await tx.rollback().execute();
  }
}

const smallParts: Record<string, (tx: Db, userId: string) => Promise<object>> = {
  user: read.exportedUser,
  sessions: read.exportedSessions,
  devices: read.exportedDevices,
  postingSlots: read.exportedPostingSlots,
  twoFactor: read.exportedTwoFactor,
  passkeys: read.exportedPasskeys,
  apiKeys: read.exportedApiKeys,
  mails: read.exportedMails,
  managedUsers: read.exportedManagedUsers,
  connectionLinks: read.exportedConnectionLinks,
  connections: read.exportedConnections,
  usage: read.exportedUsage,
  webhooks: read.exportedWebhooks,
};

async function* list(name: string, batches: AsyncIterable<object[]>, separator: string): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let before = separator;
  for await (const batch of batches) {
    for (const item of batch) {
      yield before + JSON.stringify(item);
      before = `,${separator}`;
    }
  }
  yield ']';
}

async function* groups(tx: Db, userId: string): AsyncGenerator<object[]> {
  for await (const batch of read.exportedGroups(tx, userId)) {
    const ids = batch.map(({ id }) => id);
    const platformPosts = byGroup(await read.exportedPlatformPosts(tx, ids));
    const media = byGroup(await read.exportedMedia(tx, ids));
    const logs = byGroup(await read.exportedLogs(tx, ids));
    yield batch.map((group) => ({
      ...group,
      platformPosts: platformPosts.get(group.id) ?? [],
      media: media.get(group.id) ?? [],
      logs: logs.get(group.id) ?? [],
    }));
  }
}

function byGroup(parts: readonly read.PartOfGroup[]): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const { postGroupId, ...part } of parts) {
    const found = groups.get(postGroupId);
    if (found) found.push(part);
    else groups.set(postGroupId, [part]);
  }
  return groups;
}
