import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';

export interface NewGroup {
  id: string;
  userId: string;
  content: string;
  scheduledAt: Date | null;
  targets: { id: string; platform: string; accountId: string }[];
  logId: string;
  now: Date;
}

/**
 * Group, targets, log row and the answer kept for retries, in one statement: all of it or nothing. Answers the targets
 * that are no connection of this user; then nothing was stored.
 */
export async function insertGroup(
  db: Db,
  group: NewGroup,
  storeAnswer: ((onlyIf: RawBuilder<unknown>) => RawBuilder<unknown>) | null,
): Promise<{ stored: boolean; missing: string[] }> {
  const status = group.scheduledAt ? 'scheduled' : 'draft';
  const allFound = sql`not exists (select from found where connection_id is null)`;
  const { rows } = await sql<{ stored: boolean; missing: string[] }>`
    with found as (
      select wanted.*, connections.id as connection_id
      from unnest(
        ${group.targets.map(({ id }) => id)}::text[],
        ${group.targets.map(({ platform }) => platform)}::text[],
        ${group.targets.map(({ accountId }) => accountId)}::text[]
      ) with ordinality as wanted (id, platform, account_id, position)
      left join connections on connections.user_id = ${group.userId}
        and connections.platform = wanted.platform and connections.account_id = wanted.account_id
    ),
    answered as (${storeAnswer?.(allFound) ?? sql`select 1 where ${allFound}`}),
    stored as (
      insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets, created_at, updated_at)
      select ${group.id}, ${group.userId}, ${group.content}, ${status}, ${group.scheduledAt}::timestamptz,
        ${group.targets.length}, ${group.targets.length}, ${group.now}, ${group.now}
      from answered
      returning id
    ),
    targets as (
      insert into platform_posts
        (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status, created_at, updated_at)
      select found.id, stored.id, ${group.userId}, found.connection_id, found.platform, found.account_id, found.position,
        ${group.content}, ${status}, ${group.now}, ${group.now}
      from found, stored
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, event, created_at)
      select ${group.logId}, stored.id, ${group.userId}, 'scheduled', ${group.now}::timestamptz
      from stored where ${status} = 'scheduled'
    )
    select
      exists (select from stored) as stored,
      array(select platform || '-' || account_id from found where connection_id is null order by position) as missing
  `.execute(db);
  return rows[0]!;
}

export interface StoredGroup {
  id: string;
  status: 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';
  scheduled_at: Date | null;
  platform_settings: Json;
  posts: StoredPost[];
}
export interface StoredPost {
  id: string;
  platform: string;
  account_id: string;
  content: string;
  status: 'draft' | 'scheduled' | 'pending' | 'processing' | 'published' | 'failed';
  posted_id: string | null;
  permalink: string | null;
  error: StoredError | null;
}
export interface StoredError {
  code: string;
  message: string;
  platformStatusCode?: number;
  platformError: string | null;
  failedAt: string;
  retryable: boolean;
}

export async function findGroup(db: Db, userId: string, id: string): Promise<StoredGroup | null> {
  const { rows } = await sql<StoredGroup>`
    select id, status, scheduled_at, platform_settings, coalesce((
      select json_agg(post order by position) from (
        select id, platform, account_id, content, status, posted_id, permalink, error, position
        from platform_posts where post_group_id = post_groups.id
      ) post
    ), '[]') as posts
    from post_groups where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteGroup(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('post_groups')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
