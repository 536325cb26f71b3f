import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../foundation/db/any-of.ts';
import type { Db } from '../../foundation/db/database.ts';

/** How many post groups or deliveries are in memory at once. */
const batchSize = 50;

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
      'plan_is_default as planIsDefault',
      'connection_quantity as connectionQuantity',
      'workspace_enabled as workspaceEnabled',
      'api_access as apiAccess',
      'mcp_access as mcpAccess',
      'role',
      'is_active as isActive',
      'held_at as heldAt',
      'hold_expires_at as holdExpiresAt',
      'hold_reason as holdReason',
      'time_zone as timeZone',
      'week_start as weekStart',
      'hour_cycle as hourCycle',
      'language',
      'welcome_done_at as welcomeDoneAt',
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
      'scopes',
      'allowed_addresses as allowedAddresses',
      'application',
      'during_membership as duringMembership',
      'expires_at as expiresAt',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function exportedDevices(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('known_devices')
    .select(['address', 'device', 'first_seen_at as firstSeenAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .orderBy('first_seen_at')
    .execute();
}

export function exportedPostingSlots(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('posting_slots')
    .select(['time_zone as timeZone', 'slots', 'updated_at as updatedAt'])
    .where('user_id', '=', userId)
    .execute();
}

export function exportedTwoFactor(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('two_factors')
    .select(['created_at as createdAt', 'confirmed_at as confirmedAt'])
    .where('user_id', '=', userId)
    .execute();
}

export function exportedPasskeys(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('auth_passkeys')
    .select(['name', 'device_type as deviceType', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

export function exportedSessions(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('auth_sessions')
    .select([
      'ip_address as ipAddress',
      'user_agent as userAgent',
      'expires_at as expiresAt',
      'created_at as createdAt',
      'updated_at as updatedAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Mails to the address of the user, without their text, which is erased when they have left. */
export function exportedMails(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('mails')
    .innerJoin('users', 'users.email', 'mails.recipient')
    .select(['kind', 'recipient', 'mails.created_at as createdAt', 'sent_at as sentAt', 'attempts', 'error'])
    .where('users.id', '=', userId)
    .orderBy('mails.created_at')
    .orderBy('mails.id')
    .execute();
}

/** The users that this user manages. Each has an export of its own. */
export function exportedManagedUsers(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'is_active as isActive', 'created_at as createdAt'])
    .where('parent_user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** The link with which a client of this user connects accounts, without the token in it. */
export function exportedConnectionLinks(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('connection_links')
    .select(['expires_at as expiresAt', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .execute();
}

export function exportedUsage(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('usage_counters')
    .select(['period', 'connection as platformId', 'used'])
    .where('owner_id', '=', userId)
    .orderBy('period')
    .orderBy('connection')
    .execute();
}

export function exportedWebhooks(db: Db, userId: string): Promise<object[]> {
  return db
    .selectFrom('webhooks')
    .select([
      'id',
      'name',
      'url',
      'events',
      'is_active as isActive',
      'failure_count as failureCount',
      'last_triggered_at as lastTriggeredAt',
      'created_at as createdAt',
      'updated_at as updatedAt',
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

/** Reads rows in batches with a cursor, so that a large account is never in memory as a whole. */
async function* batches<Row>(tx: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare exported no scroll cursor for ${query}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from exported`.execute(tx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close exported`.execute(tx);
}

/** Oldest first. */
export const exportedGroups = (tx: Db, userId: string) =>
  batches(
    tx,
    sql<ExportedGroup>`
      select id, content, status, scheduled_at as "scheduledAt", publish_now as "publishNow",
        platform_settings as "platformSettings", first_comments as "firstComments", media_ids as "mediaIds",
        created_at as "createdAt", updated_at as "updatedAt"
      from post_groups where user_id = ${userId} order by created_at, id`,
  );

/** Oldest first. */
export const exportedAuditLog = (tx: Db, userId: string) =>
  batches(
    tx,
    sql<object>`
      select id, at, event, actor_kind as "actorKind", actor_id as "actorId", address, details
      from audit_log where user_id = ${userId} order by id`,
  );

/** Oldest first. */
export const exportedDrafts = (tx: Db, userId: string) =>
  batches(
    tx,
    sql<object>`
      select id, version, draft, updated_at as "updatedAt" from composer_drafts
      where user_id = ${userId} order by updated_at, id`,
  );

/** Oldest first. */
export const exportedRequests = (tx: Db, userId: string) =>
  batches(
    tx,
    sql<object>`
      select id, at, method, path, status, code, duration_ms as "durationMs", key_prefix as "keyPrefix", client,
        request_id as "requestId", acted_for as "userId"
      from request_log where user_id = ${userId} order by id`,
  );

/** Oldest first, with all attempts. */
export const exportedDeliveries = (tx: Db, userId: string) =>
  batches(
    tx,
    sql<object>`
      select id, webhook_id as "webhookId", event, post_group_id as "postGroupId", body, status, created_at as "createdAt",
        ended_at as "endedAt", coalesce((
          select json_agg(json_build_object('at', at, 'durationMs', duration_ms, 'status', attempt.status, 'error', error,
            'answer', answer) order by at)
          from webhook_attempts attempt where delivery_id = delivery.id
        ), '[]') as attempts
      from webhook_deliveries delivery
      where webhook_id in (select id from webhooks where user_id = ${userId}) order by created_at, id`,
  );

export function exportedMedia(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  return db
    .selectFrom('media')
    .select([
      'post_group_id as postGroupId',
      'id',
      'purpose',
      'type',
      'mime_type as mimeType',
      'source_file_name as sourceFileName',
      'storage_key as fileName',
      'status',
      'failure_reason as failureReason',
      'metadata',
      'created_at as createdAt',
    ])
    .where('post_group_id', '=', anyOf(groupIds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function exportedPlatformPosts(db: Db, groupIds: readonly string[]): Promise<PartOfGroup[]> {
  return db
    .selectFrom('platform_posts')
    .select([
      'post_group_id as postGroupId',
      'id',
      platformId,
      'content',
      'content_overridden as contentOverridden',
      'thread_parts as threadParts',
      'status',
      'posted_id as postedId',
      'permalink',
      'error',
      'first_comment_results as firstCommentResults',
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
