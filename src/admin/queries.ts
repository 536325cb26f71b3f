import { sql } from 'kysely';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/database.ts';

/** The columns of an export are listed one by one, so that a new column with a secret is not exported by accident. */

export function exportedUser(db: Db, userId: string): Promise<object> {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'email_verified as emailVerified',
      'name',
      'image',
      'parent_user_id as parentUserId',
      'plan',
      'connection_quantity as connectionQuantity',
      'workspace_enabled as workspaceEnabled',
      'is_active as isActive',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export function exportedApiKeys(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'kind',
      'name',
      'key_prefix as keyPrefix',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** `<platform>-<account id>`, as the API names a connection. */
const platformId = sql<string>`platform || '-' || account_id`.as('platformId');

export function exportedConnections(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('connections')
    .select([
      platformId,
      'platform',
      'account_id as accountId',
      'handle',
      'display_name as displayName',
      'avatar_url as avatarUrl',
      'profile_url as profileUrl',
      'traits',
      'scopes',
      'expires_at as expiresAt',
      'reconnect_required_at as reconnectRequiredAt',
      'last_success_at as lastSuccessAt',
      'last_error as lastError',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

interface ExportedGroup {
  id: string;
}
export interface PartOfGroup {
  postGroupId: string;
}

/** Opens a cursor that `nextGroups` reads, oldest first, so that a large account is never in memory as a whole. */
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

export function exportedPlatformPosts(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  return db
    .selectFrom('platform_posts')
    .select([
      'post_group_id as postGroupId',
      'id',
      platformId,
      'content',
      'status',
      'posted_id as postedId',
      'permalink',
      'error',
      'attempts',
      'published_at as publishedAt',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('post_group_id', '=', anyOf(groupIds))
    .orderBy('post_group_id')
    .orderBy('position')
    .execute();
}

export function exportedLogs(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  return db
    .selectFrom('post_logs')
    .select([
      'post_group_id as postGroupId',
      'id',
      'platform_post_id as platformPostId',
      'platform',
      'event',
      'error',
      'http_status as httpStatus',
      'retry_count as retryCount',
      'metadata',
      'created_at as createdAt',
    ])
    .where('post_group_id', '=', anyOf(groupIds))
    .orderBy('post_group_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
