import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';

/** A group whose files are about to change. Its row is locked until the transaction ends. */
export interface LockedGroup {
  id: string;
  userId: string;
  status: 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';
  scheduledAt: Date | null;
  mediaIds: string[];
  /** The lists of targets that do not use the shared files, by connection id. */
  platformMedia: Record<string, string[]>;
  settings: Record<string, Json>;
  /** Part of it is being published, is published, or may be published. */
  isPublishing: boolean;
  /** `<platform>-<account id>` of each target, in order. */
  platformIds: string[];
  /** The status of one of the ended targets. Null if none has ended. */
  endedTarget: string | null;
}

const columns = sql`
  id, user_id as "userId", status, scheduled_at as "scheduledAt", media_ids as "mediaIds",
  platform_settings as settings, processing_status = 'processing' or exists (
    select from platform_posts where post_group_id = post_groups.id
      and (status in ('pending', 'processing', 'published') or posted_id is not null
        or error ->> 'code' = 'PUBLISH_OUTCOME_UNKNOWN')
  ) as "isPublishing",
  array(select platform || '-' || account_id from platform_posts where post_group_id = post_groups.id order by position)
    as "platformIds",
  (
    select coalesce(jsonb_object_agg(platform || '-' || account_id, media_ids), '{}')
    from platform_posts where post_group_id = post_groups.id and media_ids is not null
  ) as "platformMedia",
  (select status from platform_posts where post_group_id = post_groups.id and status in ('published', 'failed') limit 1)
    as "endedTarget"`;

export async function lockGroup(tx: Db, userId: string, id: string): Promise<LockedGroup | null> {
  const locked = await tx
    .selectFrom('post_groups')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  // Read after taking the lock, so the change of a concurrent edit is visible.
  return locked ? readGroup(tx, userId, id) : null;
}

export async function readGroup(db: Db, userId: string, id: string): Promise<LockedGroup | null> {
  const { rows } = await sql<LockedGroup>`
    select ${columns} from post_groups where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Apart from the rest, because it may be long. */
export async function findContent(tx: Db, id: string): Promise<string> {
  const { content } = await tx
    .selectFrom('post_groups')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return content;
}

/** For a change to one of its files: an edit that has already read the post is rejected. */
export async function setChanged(tx: Db, id: string, now: Date) {
  await updateGroup(tx, id, now).execute();
}

export async function setMediaIds(tx: Db, id: string, mediaIds: readonly string[], now: Date) {
  await updateGroup(tx, id, now)
    .set({ media_ids: [...mediaIds] })
    .execute();
}

/** Removes a file from the lists of the targets. */
export async function unlist(tx: Db, postGroupId: string, mediaId: string, now: Date) {
  await sql`
    update platform_posts set media_ids = array_remove(media_ids, ${mediaId}), updated_at = ${now}
    where post_group_id = ${postGroupId} and ${mediaId} = any (media_ids)`.execute(tx);
}

export async function setSettings(tx: Db, id: string, settings: Json, now: Date) {
  await updateGroup(tx, id, now)
    .set({ platform_settings: JSON.stringify(settings) })
    .execute();
}

const updateGroup = (tx: Db, id: string, now: Date) =>
  tx
    .updateTable('post_groups')
    .set(({ eb }) => ({ version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', id);
