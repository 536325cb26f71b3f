import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../foundation/db/any-of.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { Media } from '../../../foundation/db/schema.gen.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';

/** A file with its stored bytes, in the library or in a post. */
export type LibraryFile = Selectable<Media>;

export async function isLibraryFull(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isFull: boolean }>`
    select count(*) >= ${mediaLimits.filesInLibrary} as "isFull" from (
      select from media
      where user_id = ${userId} and copy_of is null and purpose in ('post', 'library') and post_group_id is null
      limit ${mediaLimits.filesInLibrary}
    ) files`.execute(tx);
  return rows[0]!.isFull;
}

/** By id, the files, or the files in the library of which they are copies. None is deleted until the transaction ends. */
export async function lockOriginals(
  tx: Db,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LibraryFile>> {
  const copies = await tx
    .selectFrom('media')
    .select('copy_of')
    .where('id', '=', anyOf(ids))
    .where('user_id', '=', userId)
    .where('copy_of', 'is not', null)
    .execute();
  const locked = await lock(tx, userId, [...ids, ...copies.flatMap((copy) => copy.copy_of ?? [])]);
  // Another request may just have moved a file to the library.
  const missing = locked.flatMap((file) => file.copy_of ?? []).filter((id) => !locked.some((file) => file.id === id));
  const files = missing.length === 0 ? locked : [...locked, ...(await lock(tx, userId, missing))];
  const byId = new Map(files.map((file) => [file.id, file]));
  return new Map(
    files.flatMap((file): [string, LibraryFile][] => {
      const original = byId.get(file.copy_of ?? file.id);
      return original ? [[file.id, original]] : [];
    }),
  );
}

/** In the order of their ids, so that two requests cannot deadlock. */
const lock = (tx: Db, userId: string, ids: readonly string[]): Promise<LibraryFile[]> =>
  tx
    .selectFrom('media')
    .selectAll()
    .where('id', '=', anyOf(ids))
    .where('user_id', '=', userId)
    .where('purpose', 'in', ['post', 'library'])
    .orderBy('id')
    .forUpdate()
    .execute();

/**
 * The stored files of posts move to new records in the library, of which the posts then have copies. Returns those
 * records, by the former id.
 */
export async function moveToLibrary(
  tx: Db,
  userId: string,
  files: readonly LibraryFile[],
  newId: () => string,
): Promise<ReadonlyMap<string, LibraryFile>> {
  const moved = new Map(
    files.map((file) => [file.id, { ...file, id: newId(), post_group_id: null, purpose: 'library', shared: true }]),
  );
  if (moved.size === 0) return moved;
  const movement = sql`unnest(${[...moved.keys()]}::text[], ${[...moved.values()].map(({ id }) => id)}::text[])
    as moved (before, after)`;
  await sql`
    update media set storage_key = null, copy_of = moved.after, bytes = 0 from ${movement}
    where media.id = moved.before and media.user_id = ${userId}`.execute(tx);
  await insertFiles(tx, [...moved.values()]);
  await sql`update renditions set media_id = moved.after from ${movement} where media_id = moved.before`.execute(tx);
  return moved;
}

/** What a post has of a file in the library. It takes no storage. */
export const copyOf = (
  file: LibraryFile,
  copy: { id: string; postGroupId: string; shared: boolean; now: Date },
): LibraryFile => ({
  ...file,
  id: copy.id,
  post_group_id: copy.postGroupId,
  shared: copy.shared,
  purpose: 'post',
  copy_of: file.id,
  storage_key: null,
  bytes: '0',
  upload_url_expires_at: null,
  labels: [],
  created_at: copy.now,
});

export const insertFiles = (tx: Db, files: readonly LibraryFile[]) =>
  tx
    .insertInto('media')
    .values(files.map((file) => ({ ...file, metadata: JSON.stringify(file.metadata) })))
    .execute();

/**
 * Deletes the file, or only hides it while posts use it. Returns false if it is not in the library. The lock waits for
 * requests that are attaching it.
 */
export async function deleteFromLibrary(tx: Db, userId: string, id: string): Promise<boolean> {
  const locked = await tx
    .selectFrom('media')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('purpose', '=', 'library')
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return false;
  await sql`
    with hidden as (
      update media set purpose = 'removed'
      where id = ${id} and user_id = ${userId} and exists (select from media copy where copy.copy_of = ${id})
      returning id
    )
    delete from media where id = ${id} and user_id = ${userId} and not exists (select from hidden)`.execute(tx);
  return true;
}
