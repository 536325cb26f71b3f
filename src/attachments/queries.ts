import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';

/** A group whose files are to change, held until the transaction ends. */
export interface LockedGroup {
  id: string;
  userId: string;
  status: 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';
  content: string;
  scheduledAt: Date | null;
  mediaIds: string[];
  settings: Record<string, Json>;
  /** Something of it is on its way, live, or may be. */
  isPublishing: boolean;
  /** In order, as `<platform>-<account id>`. */
  platformIds: string[];
  /** The status of a target that has ended, if one has. */
  endedTarget: string | null;
}

const columns = sql`
  id, user_id as "userId", status, content, scheduled_at as "scheduledAt", media_ids as "mediaIds",
  platform_settings as settings, processing_status = 'processing' or exists (
    select from platform_posts where post_group_id = post_groups.id
      and (status in ('pending', 'processing', 'published') or posted_id is not null
        or error ->> 'code' = 'PUBLISH_OUTCOME_UNKNOWN')
  ) as "isPublishing",
  array(select platform || '-' || account_id from platform_posts where post_group_id = post_groups.id order by position)
    as "platformIds",
  (select status from platform_posts where post_group_id = post_groups.id and status in ('published', 'failed') limit 1)
    as "endedTarget"`;

export async function lockGroup(tx: Db, userId: string, id: string): Promise<LockedGroup | null> {
  const { rows: locked } = await sql`
    select 1 from post_groups where id = ${id} and user_id = ${userId} for update`.execute(tx);
  // Read after the lock: what an edit has just changed is seen.
  return locked.length > 0 ? readGroup(tx, userId, id) : null;
}

export async function readGroup(db: Db, userId: string, id: string): Promise<LockedGroup | null> {
  const { rows } = await sql<LockedGroup>`
    select ${columns} from post_groups where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function setMediaIds(tx: Db, id: string, mediaIds: readonly string[], now: Date) {
  await sql`
    update post_groups set media_ids = ${mediaIds}::text[], version = version + 1, updated_at = ${now}
    where id = ${id}`.execute(tx);
}

export async function setSettings(tx: Db, id: string, settings: Json, now: Date) {
  await sql`
    update post_groups set platform_settings = ${JSON.stringify(settings)}::jsonb, version = version + 1,
      updated_at = ${now}
    where id = ${id}`.execute(tx);
}
