import { sql } from 'kysely';
import { lockOf } from '../../foundation/db/advisory-locks.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';

export interface DraftRow {
  id: string;
  version: number;
  draft: { [name: string]: Json };
  updatedAt: Date;
}

const columns = ['id', 'version', 'draft', 'updated_at as updatedAt'] as const;
const draftsOf = (db: Db, userId: string) => db.selectFrom('composer_drafts').where('user_id', '=', userId);

/** Newest first, with their sizes as JSON. */
export const selectDrafts = (
  db: Db,
  userId: string,
  page: { limit: number; offset: number },
): Promise<(DraftRow & { size: number })[]> =>
  draftsOf(db, userId)
    .select([...columns, sql<number>`octet_length(draft::text)`.as('size')])
    .$narrowType<Pick<DraftRow, 'draft'>>()
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export async function countDrafts(db: Db, userId: string): Promise<number> {
  const { count } = await draftsOf(db, userId)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findDraft(db: Db, userId: string, id: string): Promise<DraftRow | null> {
  const found = await draftsOf(db, userId)
    .select(columns)
    .$narrowType<Pick<DraftRow, 'draft'>>()
    .where('id', '=', id)
    .executeTakeFirst();
  return found ?? null;
}

/** A save as the client sent it, with the draft as JSON. */
export interface Save {
  userId: string;
  id: string;
  version: number;
  json: string;
  now: Date;
}

/** Until the transaction ends, no other draft of this owner or the managed users is saved. */
export const lockDrafts = (tx: Db, ownerId: string) => lockOf(tx, 'composer_drafts', ownerId);

/** The size of all drafts of an owner and the managed users. */
export async function sumBytes(tx: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(composer_bytes), 0)::float8 as bytes from quota_usage
    where user_id in (select id from users where id = ${ownerId} or parent_user_id = ${ownerId})`.execute(tx);
  return rows[0]!.bytes;
}

/** Null if there already is a draft with this id. */
export async function insertDraft(tx: Db, { userId, id, json, now }: Save): Promise<DraftRow | null> {
  const added = await tx
    .insertInto('composer_drafts')
    .values({ user_id: userId, id, version: 1, draft: json, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .$narrowType<Pick<DraftRow, 'draft'>>()
    .executeTakeFirst();
  return added ?? null;
}

/** Null if the stored version is a different one. */
export async function replaceDraft(db: Db, { userId, id, version, json, now }: Save): Promise<DraftRow | null> {
  const replaced = await db
    .updateTable('composer_drafts')
    .set({ version: version + 1, draft: json, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(columns)
    .$narrowType<Pick<DraftRow, 'draft'>>()
    .executeTakeFirst();
  return replaced ?? null;
}

/** The result of the same save, if its response was lost and nothing was saved since. */
export async function findRepeated(db: Db, { userId, id, version, json }: Save): Promise<DraftRow | null> {
  const found = await draftsOf(db, userId)
    .select(columns)
    .$narrowType<Pick<DraftRow, 'draft'>>()
    .where('id', '=', id)
    .where('version', '=', version + 1)
    .where('draft', '=', sql<string>`${json}::jsonb`)
    .executeTakeFirst();
  return found ?? null;
}

/** Returns false if there was none. */
export async function deleteDraftRow(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('composer_drafts')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
