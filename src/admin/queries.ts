import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** What a user may take along. Column by column: a new one that holds a secret does not slip in by itself. */

export async function exportedUser(db: Db, userId: string): Promise<object> {
  const { rows } = await sql<object>`
    select id, email, email_verified as "emailVerified", name, image, parent_user_id as "parentUserId", plan,
      connection_quantity as "connectionQuantity", workspace_enabled as "workspaceEnabled", is_active as "isActive",
      created_at as "createdAt", updated_at as "updatedAt"
    from users where id = ${userId}`.execute(db);
  return rows[0]!;
}

export async function exportedApiKeys(db: Db, userId: string): Promise<object[]> {
  const { rows } = await sql<object>`
    select id, kind, name, key_prefix as "keyPrefix", created_at as "createdAt", last_used_at as "lastUsedAt",
      revoked_at as "revokedAt"
    from api_keys where user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

export async function exportedConnections(db: Db, userId: string): Promise<object[]> {
  const { rows } = await sql<object>`
    select platform || '-' || account_id as "platformId", platform, account_id as "accountId", handle,
      display_name as "displayName", avatar_url as "avatarUrl", profile_url as "profileUrl", traits, scopes,
      expires_at as "expiresAt", reconnect_required_at as "reconnectRequiredAt", last_success_at as "lastSuccessAt",
      last_error as "lastError", created_at as "createdAt", updated_at as "updatedAt"
    from connections where user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

interface ExportedGroup {
  id: string;
}
export interface PartOfGroup {
  postGroupId: string;
}

/** Read with `nextGroups`, oldest first. A cursor: however many there are, each is read once. */
export const openGroups = (tx: Db, userId: string) =>
  sql`
    declare exported_groups no scroll cursor for
    select id, content, status, scheduled_at as "scheduledAt", platform_settings as "platformSettings",
      first_comments as "firstComments", created_at as "createdAt", updated_at as "updatedAt"
    from post_groups where user_id = ${userId} order by created_at, id`.execute(tx);

export async function nextGroups(tx: Db, limit: number): Promise<ExportedGroup[]> {
  const { rows } = await sql<ExportedGroup>`fetch ${sql.lit(limit)} from exported_groups`.execute(tx);
  return rows;
}

export async function exportedPlatformPosts(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  const { rows } = await sql<PartOfGroup>`
    select post_group_id as "postGroupId", id, platform || '-' || account_id as "platformId", content, status,
      posted_id as "postedId", permalink, error, attempts, published_at as "publishedAt", created_at as "createdAt",
      updated_at as "updatedAt"
    from platform_posts where post_group_id = any(${groupIds}) order by post_group_id, position`.execute(db);
  return rows;
}

export async function exportedLogs(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  const { rows } = await sql<PartOfGroup>`
    select post_group_id as "postGroupId", id, platform_post_id as "platformPostId", platform, event, error,
      http_status as "httpStatus", retry_count as "retryCount", metadata, created_at as "createdAt"
    from post_logs where post_group_id = any(${groupIds}) order by post_group_id, created_at, id`.execute(db);
  return rows;
}
