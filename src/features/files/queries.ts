import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../foundation/db/any-of.ts';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';
import { problems } from '../../foundation/errors/index.ts';
import { postLogEvents } from '../../foundation/events/catalogue.ts';
import type { PostLogEntry } from '../../foundation/events/define-event.ts';
import type { MediaType } from '../../foundation/storage/storage-key.ts';
import { attachedImages } from '../../platforms/attached-images.ts';
import { quotaLimits } from '../users/within-quotas.ts';
import type { StoredMetadata } from './metadata.ts';

export interface MediaRecord {
  id: string;
  userId: string;
  /** The owner of a managed user, otherwise the user. */
  ownerId: string;
  /** Null for a file in the library. */
  postGroupId: string | null;
  /** `post`, `library`, or the purpose of an image that a platform's settings refer to. */
  purpose: string;
  /** The record with the stored file: this one, or the file in the library that was attached to the post. */
  originalId: string;
  type: MediaType;
  mimeType: string;
  sourceFileName: string;
  altText: string | null;
  /** False: it goes only to targets of its post that list it. */
  shared: boolean;
  /** Null only in records from before storage keys existed. */
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
  altText?: string | null;
  shared?: boolean;
  labels?: readonly string[];
  storageKey: string;
  now: Date;
} & (
    | { status: 'uploading'; uploadUrlExpiresAt: Date; bytes?: number }
    | { status: 'ready'; metadata: StoredMetadata; objectVersion: string }
  );

const columns = [
  'media.id',
  'media.user_id as userId',
  'media.post_group_id as postGroupId',
  'media.purpose',
  'media.type',
  'media.mime_type as mimeType',
  'media.source_file_name as sourceFileName',
  'media.alt_text as altText',
  'media.shared',
  'media.status',
  'media.failure_code as failureCode',
  'media.failure_reason as failureReason',
  'media.upload_url_expires_at as uploadUrlExpiresAt',
  'media.first_missing_at as firstMissingAt',
] as const;

const selectRecords = (db: Db) =>
  db
    .selectFrom('media')
    .leftJoin('media as original', 'original.id', 'media.copy_of')
    .select(columns)
    .select(({ fn }) => [
      fn.coalesce('original.id', 'media.id').as('originalId'),
      fn.coalesce('original.storage_key', 'media.storage_key').as('storageKey'),
      fn.coalesce('original.object_version', 'media.object_version').as('objectVersion'),
      fn.coalesce('original.metadata', 'media.metadata').$castTo<StoredMetadata | null>().as('metadata'),
      sql<string>`(select coalesce(parent_user_id, id) from users where id = media.user_id)`.as('ownerId'),
    ]);

/** The group, if any, must exist or be inserted in the same transaction. */
export async function insertMedia(tx: Db, media: NewMedia) {
  const ready = media.status === 'ready' ? media : null;
  await tx
    .insertInto('media')
    .values({
      id: media.id,
      user_id: media.userId,
      post_group_id: media.postGroupId,
      purpose: media.purpose,
      type: media.type,
      mime_type: media.mimeType,
      source_file_name: media.sourceFileName,
      alt_text: media.altText ?? null,
      shared: media.shared ?? true,
      labels: [...(media.labels ?? [])],
      storage_key: media.storageKey,
      status: media.status,
      metadata: ready && JSON.stringify(ready.metadata),
      object_version: ready?.objectVersion ?? null,
      bytes: media.status === 'ready' ? media.metadata.size : (media.bytes ?? 0),
      upload_url_expires_at: media.status === 'uploading' ? media.uploadUrlExpiresAt : null,
      created_at: media.now,
    })
    .execute();
}

export async function findMedia(db: Db, userId: string, id: string): Promise<MediaRecord | null> {
  const found = await selectRecords(db)
    .where('media.id', '=', id)
    .where('media.user_id', '=', userId)
    .executeTakeFirst();
  return found ?? null;
}

/** The image with this key, of any user: knowing the key is the permission to see it. */
export async function findImage(db: Db, key: string): Promise<MediaRecord | null> {
  const found = await selectRecords(db)
    .where('media.storage_key', '=', key)
    .where('media.type', '=', 'image')
    .where('media.status', '=', 'ready')
    .executeTakeFirst();
  return found ?? null;
}

/** Returns those that exist, in no particular order. */
export async function selectMedia(db: Db, userId: string, ids: readonly string[]): Promise<MediaRecord[]> {
  if (ids.length === 0) return [];
  return selectRecords(db).where('media.id', '=', anyOf(ids)).where('media.user_id', '=', userId).execute();
}

/** The ids of the files of a post that are not shared. */
export const unsharedOf = (postGroupId: RawBuilder<unknown>) =>
  sql`array(select media.id from media where media.post_group_id = ${postGroupId} and not media.shared)`;

export interface MediaDetails {
  altText?: string | null | undefined;
  shared?: boolean | undefined;
  fileName?: string | undefined;
  labels?: readonly string[] | undefined;
}

/** Null if the file does not exist. */
export async function setDetails(
  tx: Db,
  userId: string,
  id: string,
  { altText, shared, fileName, labels }: MediaDetails,
): Promise<MediaRecord | null> {
  await tx
    .updateTable('media')
    .set({
      ...(altText !== undefined && { alt_text: altText }),
      ...(shared !== undefined && { shared }),
      ...(fileName !== undefined && { source_file_name: fileName }),
      ...(labels && { labels: [...labels] }),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute();
  return findMedia(tx, userId, id);
}

/** Returns false if the record does not exist. A trigger adds its file to the list of orphaned files. */
export async function deleteMedia(tx: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('media')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A row in the log of the file's post. */
export interface MediaLog {
  id: string;
  now: Date;
}

/**
 * Changes only a record that is still `uploading`. Returns false if another request was faster. Fails if it would
 * exceed a quota.
 */
export async function setReady(
  db: Db,
  id: string,
  found: { userId: string; type: MediaType; mimeType: string; metadata: StoredMetadata; objectVersion: string },
  log: MediaLog,
): Promise<boolean> {
  const changes = sql`status = 'ready', type = ${found.type}, mime_type = ${found.mimeType},
    metadata = ${JSON.stringify(found.metadata)}, object_version = ${found.objectVersion}, bytes = ${found.metadata.size},
    receiving_bytes = 0`;
  const entry = postLogEvents.mediaFinalizeSucceeded.entry({ mediaFileId: id });
  return finalize(db, id, changes, { ...log, ...entry, error: null }, quotaLimits(found.userId));
}

export interface FileFailure {
  code: string;
  reason: string;
  /** The size of the file, which stays stored despite the failure. */
  bytes: number;
}

export async function setFailed(
  db: Db,
  id: string,
  { code, reason, bytes }: FileFailure,
  log: MediaLog,
): Promise<boolean> {
  const changes = sql`status = 'failed', failure_code = ${code}, failure_reason = ${reason}, bytes = ${bytes},
    receiving_bytes = 0`;
  const entry = postLogEvents.mediaFinalizeFailed.entry({ mediaFileId: id, code });
  return finalize(db, id, changes, { ...log, ...entry, error: reason });
}

/** The file was ready, but storage no longer has the version that was checked. */
export async function setLost(db: Db, id: string, code: string, reason: string) {
  await db
    .updateTable('media')
    .set({ status: 'failed', failure_code: code, failure_reason: reason })
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .execute();
}

async function finalize(
  db: Db,
  id: string,
  changes: RawBuilder<unknown>,
  log: MediaLog & PostLogEntry & { error: string | null },
  limits: RawBuilder<unknown> = sql`select 1`,
): Promise<boolean> {
  const { rows } = await sql`
    with limited as (${limits}),
    finalized as (
      update media set ${changes} from limited where id = ${id} and status = 'uploading' returning user_id, post_group_id
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, event, error, metadata, created_at)
      select ${log.id}, post_group_id, user_id, ${log.event}, ${log.error}, ${log.metadata}::jsonb, ${log.now}::timestamptz
      from finalized where post_group_id is not null
    )
    select 1 from finalized`.execute(db);
  return rows.length > 0;
}

/**
 * Counts a file that is about to be received. Returns false if its record was deleted or no longer expects a file, or
 * if the user or its owner is deactivated or will be erased.
 */
export async function startReceiving(tx: Db, key: string, bytes: number): Promise<boolean> {
  const { rows } = await sql`
    update media set receiving_bytes = receiving_bytes + ${bytes}
    from users left join users owner on owner.id = users.parent_user_id
    where storage_key = ${key} and status = 'uploading' and users.id = media.user_id
      and users.is_active and coalesce(owner.is_active, true)
      and users.deletion_at is null and owner.deletion_at is null
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Counts the file that is now stored instead. Returns false if its record was deleted. */
export async function endReceiving(db: Db, key: string, bytes: number, stored: number): Promise<boolean> {
  const { rows } = await sql`
    update media set receiving_bytes = greatest(0, receiving_bytes - ${bytes}), bytes = ${stored}
    where storage_key = ${key} returning 1`.execute(db);
  return rows.length > 0;
}

/** The user who owns the file. Null if its record was deleted. */
export async function findHolder(db: Db, key: string): Promise<string | null> {
  const found = await db.selectFrom('media').select('user_id').where('storage_key', '=', key).executeTakeFirst();
  return found?.user_id ?? null;
}

/** Records that the file is missing. Returns since when: now or earlier. */
export async function recordMissing(db: Db, id: string, now: Date): Promise<Date> {
  const updated = await db
    .updateTable('media')
    .set(({ fn, val }) => ({ first_missing_at: fn.coalesce('first_missing_at', val(now)) }))
    .where('id', '=', id)
    .returning('first_missing_at as since')
    .executeTakeFirst();
  return updated?.since ?? now;
}

/** The files of a post, or of one of its media, including renditions. */
export async function selectStorageKeys(
  db: Db,
  userId: string,
  of: { postGroupId: string } | { mediaId: string },
): Promise<string[]> {
  const wanted = 'mediaId' in of ? sql`media.id = ${of.mediaId}` : sql`post_group_id = ${of.postGroupId}`;
  const { rows } = await sql<{ key: string }>`
    select unnest(array[media.storage_key, renditions.storage_key]) as key
    from media left join renditions on media_id = media.id
    where media.user_id = ${userId} and ${wanted}`.execute(db);
  return rows.flatMap(({ key }) => key ?? []);
}

/**
 * The type of the file or rendition with this key: detected from its bytes once they were inspected, before that the
 * type given by the client. Null if there is no record: a deleted file is not served even while its bytes still
 * exist.
 */
export async function recordedType(db: Db, key: string): Promise<string | null> {
  const { rows } = await sql<{ type: string }>`
    select coalesce(mime_type, 'application/octet-stream') as type from media where storage_key = ${key}
    union all select mime_type from renditions where storage_key = ${key}`.execute(db);
  return rows[0]?.type ?? null;
}

/** Uploads that were never completed, oldest first. */
export function selectAbandoned(db: Db, before: Date, limit: number): Promise<MediaRecord[]> {
  return selectRecords(db)
    .where('media.status', '=', 'uploading')
    .where('media.created_at', '<', before)
    .orderBy('media.created_at')
    .limit(limit)
    .execute();
}

/** Deletes images that were uploaded for a setting but are not used in it. */
export async function deleteUnusedThumbnails(db: Db, before: Date) {
  const isUnused = attachedImages.map(({ purpose, platform, setting, reference }) =>
    reference === 'media'
      ? sql`when ${purpose} then platform_settings #>> ${[platform, setting, 'mediaId']} is distinct from media.id`
      : // The setting contains the public URL, which ends with the storage key.
        sql`when ${purpose} then right(platform_settings #>> ${[platform, setting]}, length(media.storage_key))
          is distinct from media.storage_key`,
  );
  await sql`
    delete from media using post_groups
    where media.post_group_id = post_groups.id and purpose <> 'post' and media.created_at < ${before}
      and case purpose ${sql.join(isUnused, sql` `)} end`.execute(db);
}

/** Deletes files that were removed from the library once no post uses them, and uploads that never arrived. */
export const deleteUnusedLibraryFiles = (db: Db, signal?: AbortSignal) =>
  deleteInBatches(
    (limit) =>
      sql`delete from media where id in (
        select id from media
        where purpose = 'removed' and not exists (select from media copy where copy.copy_of = media.id)
          or purpose = 'library' and status = 'failed' and failure_code = ${problems.media_upload_missing.code}
        limit ${limit})`.execute(db),
    signal,
  );

interface WantedUrls {
  userId: string;
  amount: number;
  max: number;
  windowMs: number;
  now: Date;
}

/**
 * Null if the current window had room for all of them, otherwise the end of the window. A single statement, so that
 * two requests never take the same place.
 */
export async function takeFromUrlQuota(db: Db, wanted: WantedUrls): Promise<Date | null> {
  const { userId, amount, max, windowMs, now } = wanted;
  const over = new Date(now.getTime() - windowMs);
  const { rows } = await sql<{ window_start: Date; taken: boolean }>`
    with taken as (
      insert into url_allowances as allowance (user_id, window_start, used) values (${userId}, ${now}, ${amount})
      on conflict (user_id) do update set
        window_start = case when allowance.window_start <= ${over} then excluded.window_start else allowance.window_start end,
        used = case when allowance.window_start <= ${over} then excluded.used else allowance.used + excluded.used end
        where allowance.window_start <= ${over} or allowance.used + excluded.used <= ${max}
      returning window_start
    )
    select window_start, true as taken from taken
    union all
    select window_start, false from url_allowances where user_id = ${userId} and not exists (select from taken)`.execute(
    db,
  );
  const [row] = rows;
  // The user's very first request ran concurrently. This statement waited for it but cannot see its row yet.
  if (!row) return takeFromUrlQuota(db, wanted);
  return row.taken ? null : new Date(row.window_start.getTime() + windowMs);
}
