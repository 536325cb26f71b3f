import type { App } from '../../../app.ts';
import { tryLockOf } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import {
  exportedBrands,
  exportedGroupParts,
  exportedGroups,
  exportedParts,
  exportedUser,
  type PartOfGroup,
  type Reader,
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
 * them. The others are people, whose sessions and audit log are not the owner's. Brands on hold are left out. Throws
 * if another export of this user is in progress, in any process.
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
    for (const brandId of await exportedBrands(tx, userId, clock.now())) {
      yield before;
      yield* documentOf(tx, clock.now(), brandId, separator, 'owner');
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
const documentOf = (tx: Db, now: Date, userId: string, separator: string, reader: Reader = 'user') =>
  inChunks(textsOf(tx, now, userId, separator, reader));

/** Each chunk is written to the client on its own, and most texts are short. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
const chunkLength = 65_536;

async function* textsOf(tx: Db, now: Date, userId: string, separator: string, reader: Reader): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(now)}`;
  yield `,"user":${JSON.stringify(await exportedUser(tx, userId, reader))}`;
  for (const [name, batches] of exportedParts(tx, userId, reader)) yield* list(name, batches, separator);
  yield* groups(tx, userId, separator);
}

async function* list(name: string, batches: AsyncIterable<object[]>, separator = ''): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let before = separator;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield before + batch.map((row) => JSON.stringify(row)).join(`,${separator}`);
    before = `,${separator}`;
  }
  yield ']';
}

/** Not group by group, because the targets of one group can have hundreds of megabytes of text. */
async function* groups(tx: Db, userId: string, separator: string): AsyncGenerator<string> {
  const parts = exportedGroupParts(tx, userId).map(([name, batches]) => ({ name, ofGroup: byGroup(batches) }));
  yield ',"postGroups":[';
  let before = separator;
  for await (const batch of exportedGroups(tx, userId)) {
    for (const group of batch) {
      yield before + JSON.stringify(group).slice(0, -1);
      for (const { name, ofGroup } of parts) yield* list(name, ofGroup(group.id));
      yield '}';
      before = `,${separator}`;
    }
  }
  yield ']';
}

/** Returns the rows of one group after the other. They are in the order of the groups. */
function byGroup(batches: AsyncIterator<PartOfGroup[]>) {
  let rows: PartOfGroup[] = [];
  return async function* (groupId: string): AsyncGenerator<object[]> {
    while (true) {
      const end = rows.findIndex(({ postGroupId }) => postGroupId !== groupId);
      const found = rows.splice(0, end === -1 ? rows.length : end);
      yield found.map(({ postGroupId: _, ...row }) => row);
      if (rows.length > 0) return;
      const next = await batches.next();
      if (next.done) return;
      rows = next.value;
    }
  };
}
