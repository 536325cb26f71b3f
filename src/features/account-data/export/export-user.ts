import type { App } from '../../../app.ts';
import { tryLockOf } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { selectBrands } from '../queries.ts';
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
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
  separator: string,
): AsyncGenerator<string> {
  const tx = await snapshotOf(db);
  try {
    yield* documentOf(tx, clock.now(), userId, separator);
    yield '}\n';
  } finally {
    await tx.rollback().execute();
  }
}

/**
 * The same with `brands`: the documents of the managed users who have no password, so that the owner alone can export
 * them. The others are people, whose sessions and audit log are not the owner's. Throws if another export of this user
 * is in progress, in any process.
 */
export async function* exportWithBrands(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
  separator: string,
): AsyncGenerator<string> {
  const tx = await snapshotOf(db);
  try {
    if (!(await tryLockOf(tx, 'export of', userId))) throw new Problem('export_in_progress');
    yield* documentOf(tx, clock.now(), userId, separator);
    yield ',"brands":[';
    let before = separator;
    for (const brandId of await selectBrands(tx, userId)) {
      yield before;
      yield* documentOf(tx, clock.now(), brandId, separator);
      yield '}';
      before = `,${separator}`;
    }
    yield ']}\n';
  } finally {
    await tx.rollback().execute();
  }
}

/** One snapshot, so that posts published in the meantime do not make the export inconsistent. */
const snapshotOf = (db: Db) =>
  db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();

/** Without the last bracket, so that more parts can follow. */
async function* documentOf(tx: Db, now: Date, userId: string, separator: string): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(now)}`;
  yield `,"user":${JSON.stringify(await exportedUser(tx, userId))}`;
  for await (const [name, rows] of exportedSmallParts(tx, userId)) yield `,"${name}":${JSON.stringify(rows)}`;
  for (const [name, batches] of exportedLargeParts(tx, userId)) yield* list(name, batches, separator);
  yield* list('postGroups', groups(tx, userId), separator);
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
