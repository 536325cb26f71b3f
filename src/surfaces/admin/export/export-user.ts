import type { Core } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import {
  exportedGroupParts,
  exportedGroups,
  exportedLargeParts,
  exportedSmallParts,
  exportedUser,
  type PartOfGroup,
} from './queries.ts';

/**
 * Everything a user owns, without secrets, as the pieces of one JSON document. `separator` is put between post groups.
 */
export async function* exportUser(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  userId: string,
  separator: string,
): AsyncGenerator<string> {
  // One snapshot, so that posts published in the meantime do not make the export inconsistent.
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    yield `{"exportedAt":${JSON.stringify(clock.now())}`;
    yield `,"user":${JSON.stringify(await exportedUser(tx, userId))}`;
    for await (const [name, rows] of exportedSmallParts(tx, userId)) yield `,"${name}":${JSON.stringify(rows)}`;
    for (const [name, batches] of exportedLargeParts(tx, userId)) yield* list(name, batches, separator);
    yield* list('postGroups', groups(tx, userId), separator);
    yield '}\n';
  } finally {
    await tx.rollback().execute();
  }
}

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
  for await (const batch of exportedGroups(tx, userId)) {
    const parts: [name: string, byGroup: Map<string, object[]>][] = [];
    for await (const [name, rows] of exportedGroupParts(
      tx,
      batch.map(({ id }) => id),
    ))
      parts.push([name, byGroup(rows)]);
    const partsOf = (id: string) => Object.fromEntries(parts.map(([name, found]) => [name, found.get(id) ?? []]));
    yield batch.map((group) => ({ ...group, ...partsOf(group.id) }));
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
