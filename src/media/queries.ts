import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { attachedImages } from '../platforms/attached-images.ts';
import type { StoredMetadata } from './metadata.ts';
import type { MediaType } from './storage/storage-key.ts';

export interface MediaRecord {
  id: string;
  userId: string;
  postGroupId: string;
  /** `post`, or the purpose of an image that a platform's settings refer to. */
  purpose: string;
  type: MediaType;
  mimeType: string;
  sourceFileName: string;
  /** Null only in records from before files had keys. */
  storageKey: string | null;
  status: 'uploading' | 'ready' | 'failed';
  failureCode: string | null;
  failureReason: string | null;
  metadata: StoredMetadata | null;
  objectVersion: string | null;
  uploadUrlExpiresAt: Date | null;
  firstMissingAt: Date | null;
}

export type NewMedia = Pick<
  MediaRecord,
  'id' | 'userId' | 'postGroupId' | 'purpose' | 'type' | 'mimeType' | 'sourceFileName'
> & {
  storageKey: string;
  now: Date;
} & (
    | { status: 'uploading'; uploadUrlExpiresAt: Date }
    | { status: 'ready'; metadata: StoredMetadata; objectVersion: string }
  );

const columns = sql`id, user_id as "userId", post_group_id as "postGroupId", purpose, type, mime_type as "mimeType",
  source_file_name as "sourceFileName", storage_key as "storageKey", status, failure_code as "failureCode",
  failure_reason as "failureReason", metadata, object_version as "objectVersion",
  upload_url_expires_at as "uploadUrlExpiresAt", first_missing_at as "firstMissingAt"`;

/** The group must be there already, or come to be in the same transaction. */
export async function insertMedia(tx: Db, media: NewMedia) {
  const ready = media.status === 'ready' ? media : null;
  await sql`
    insert into media (id, user_id, post_group_id, purpose, type, mime_type, source_file_name, storage_key, status, metadata,
      object_version, upload_url_expires_at, created_at)
    values (${media.id}, ${media.userId}, ${media.postGroupId}, ${media.purpose}, ${media.type}, ${media.mimeType},
      ${media.sourceFileName}, ${media.storageKey}, ${media.status}, ${ready && JSON.stringify(ready.metadata)}::jsonb,
      ${ready?.objectVersion ?? null}, ${media.status === 'uploading' ? media.uploadUrlExpiresAt : null}, ${media.now})`.execute(
    tx,
  );
}

export async function findMedia(db: Db, userId: string, id: string): Promise<MediaRecord | null> {
  const { rows } = await sql<MediaRecord>`
    select ${columns} from media where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Those that are there, in no order. */
export async function selectMedia(db: Db, userId: string, ids: readonly string[]): Promise<MediaRecord[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MediaRecord>`
    select ${columns} from media where id = any (${ids}::text[]) and user_id = ${userId}`.execute(db);
  return rows;
}

/** False if it is gone. Its file follows: see the trigger. */
export async function deleteMedia(tx: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from media where id = ${id} and user_id = ${userId} returning 1`.execute(tx);
  return rows.length > 0;
}

/** Only a record that is still `uploading` changes: false if somebody else was faster. */
export async function setReady(
  db: Db,
  id: string,
  found: { type: MediaType; mimeType: string; metadata: StoredMetadata; objectVersion: string },
): Promise<boolean> {
  const { rows } = await sql`
    update media set status = 'ready', type = ${found.type}, mime_type = ${found.mimeType},
      metadata = ${JSON.stringify(found.metadata)}::jsonb, object_version = ${found.objectVersion}
    where id = ${id} and status = 'uploading' returning 1`.execute(db);
  return rows.length > 0;
}

export async function setFailed(db: Db, id: string, code: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update media set status = 'failed', failure_code = ${code}, failure_reason = ${reason}
    where id = ${id} and status = 'uploading' returning 1`.execute(db);
  return rows.length > 0;
}

/** When its file was first missed: now, or earlier. */
export async function noteMissed(db: Db, id: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ first_missing_at: Date }>`
    update media set first_missing_at = coalesce(first_missing_at, ${now}) where id = ${id} returning first_missing_at`.execute(
    db,
  );
  return rows[0]?.first_missing_at ?? now;
}

/** A file about to be written: if no record ever comes to name it, it is removed then. */
export async function announceFile(db: Db, key: string, deleteAfter: Date) {
  await sql`insert into orphaned_files (storage_key, delete_after) values (${key}, ${deleteAfter})`.execute(db);
}

/** In the transaction that makes the records. False if one was removed already, for it took too long. */
export async function keepFiles(tx: Db, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    delete from orphaned_files where storage_key = any (${keys}::text[]) returning 1`.execute(tx);
  return rows.length === keys.length;
}

/** For what was announced and is not wanted after all. */
export async function discardFiles(db: Db, keys: readonly string[], now: Date) {
  if (keys.length === 0) return;
  await sql`update orphaned_files set delete_after = ${now} where storage_key = any (${keys}::text[])`.execute(db);
}

export interface OrphanedFile {
  key: string;
  deleteAgainAt: Date | null;
}

/** Held until the transaction ends, so that two workers do not remove the same. */
export async function lockOrphanedFiles(tx: Db, now: Date, limit: number): Promise<OrphanedFile[]> {
  const { rows } = await sql<OrphanedFile>`
    select storage_key as key, delete_again_at as "deleteAgainAt" from orphaned_files where delete_after <= ${now}
    order by delete_after limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

export async function forgetOrphanedFiles(tx: Db, files: readonly OrphanedFile[], now: Date) {
  const isOver = ({ deleteAgainAt }: OrphanedFile) => deleteAgainAt === null || deleteAgainAt <= now;
  const over = files.filter(isOver).map(({ key }) => key);
  const later = files.filter((file) => !isOver(file)).map(({ key }) => key);
  await sql`delete from orphaned_files where storage_key = any (${over}::text[])`.execute(tx);
  await sql`
    update orphaned_files set delete_after = delete_again_at, delete_again_at = null where storage_key = any (${later}::text[])`.execute(
    tx,
  );
}

/** Uploads that nobody asked about for long, the oldest first. */
export async function selectAbandoned(db: Db, before: Date, limit: number): Promise<MediaRecord[]> {
  const { rows } = await sql<MediaRecord>`
    select ${columns} from media where status = 'uploading' and created_at < ${before}
    order by created_at limit ${limit}`.execute(db);
  return rows;
}

/** Deletes the images that were uploaded for a setting and that the setting does not refer to. */
export async function deleteUnusedThumbnails(db: Db, before: Date) {
  const isUnused = attachedImages.map(({ purpose, platform, setting, reference }) =>
    reference === 'media'
      ? sql`when ${purpose} then platform_settings #>> ${[platform, setting, 'mediaId']} is distinct from media.id`
      : // The setting holds the public URL, which ends in the storage key.
        sql`when ${purpose} then right(platform_settings #>> ${[platform, setting]}, length(media.storage_key))
          is distinct from media.storage_key`,
  );
  await sql`
    delete from media using post_groups
    where media.post_group_id = post_groups.id and purpose <> 'post' and media.created_at < ${before}
      and case purpose ${sql.join(isUnused, sql` `)} end`.execute(db);
}

interface WantedUrls {
  userId: string;
  amount: number;
  max: number;
  windowMs: number;
  now: Date;
}

/** Null if the window had room for all of them; else when it ends. One statement, so that no two requests share a place. */
export async function takeUrls(db: Db, wanted: WantedUrls): Promise<Date | null> {
  const { userId, amount, max, windowMs, now } = wanted;
  const over = new Date(now.getTime() - windowMs);
  const { rows } = await sql<{ window_start: Date; taken: boolean }>`
    with taken as (
      insert into url_allowances as held (user_id, window_start, used) values (${userId}, ${now}, ${amount})
      on conflict (user_id) do update set
        window_start = case when held.window_start <= ${over} then excluded.window_start else held.window_start end,
        used = case when held.window_start <= ${over} then excluded.used else held.used + excluded.used end
        where held.window_start <= ${over} or held.used + excluded.used <= ${max}
      returning window_start
    )
    select window_start, true as taken from taken
    union all
    select window_start, false from url_allowances where user_id = ${userId} and not exists (select from taken)`.execute(
    db,
  );
  const [row] = rows;
  // The user's first request of all came in between: this statement waited for it, but cannot see it.
  if (!row) return takeUrls(db, wanted);
  return row.taken ? null : new Date(row.window_start.getTime() + windowMs);
}

interface Rendition {
  key: string;
  mimeType: string;
  width: number;
  height: number;
}

export async function findRendition(db: Db, mediaId: string, kind: string) {
  const { rows } = await sql<Rendition>`
    select storage_key as key, mime_type as "mimeType", width, height from renditions
    where media_id = ${mediaId} and kind = ${kind}`.execute(db);
  return rows[0] ? { ...rows[0], version: null } : null;
}

/** False if there is one already, or the file is gone meanwhile. */
export async function insertRendition(
  db: Db,
  mediaId: string,
  kind: string,
  { key, mimeType, bytes, width, height }: Rendition & { bytes: number },
): Promise<boolean> {
  const { rows } = await sql`
    with kept as (
      insert into renditions (media_id, kind, storage_key, mime_type, bytes, width, height)
      select id, ${kind}, ${key}, ${mimeType}, ${bytes}, ${width}, ${height} from media where id = ${mediaId}
      on conflict (media_id, kind) do nothing
      returning storage_key
    )
    delete from orphaned_files using kept where orphaned_files.storage_key = kept.storage_key returning 1`.execute(db);
  return rows.length > 0;
}
