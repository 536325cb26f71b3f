import { CamelCasePlugin, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { rowBatches } from '../../../foundation/db/row-batches.ts';
import { hasPassword } from '../../auth/passwords/queries.ts';
import { isNotHeld } from '../queries.ts';

// The columns of an export are listed explicitly, so that a new column with a secret is not exported by accident.

/** Names columns like the API, and leaves keys inside JSON unchanged. */
const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** `<platform>-<account id>`, as the API names a connection. */
const platformId = sql`platform || '-' || account_id as platform_id`;

/** `copyOf` names the file of the library that was attached. */
const mediaColumns = sql`
  id, copy_of, purpose, type, mime_type, source_file_name, storage_key as file_name, alt_text, shared, labels, status,
  failure_code, failure_reason, metadata, created_at`;

/** Whose export it is. The operator's reason for a hold is for the held user, not for the owner of the workspace. */
export type Reader = 'user' | 'owner';

/** Managed users that the owner alone can export, without those on hold. */
export async function exportedBrands(tx: Db, ownerId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where parent_user_id = ${ownerId} and not ${hasPassword} and ${isNotHeld(now)}
    order by created_at, id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Parts by their name in the export, oldest first. */
const parts: Record<string, (userId: string, reader: Reader) => RawBuilder<object>> = {
  sessions: (userId) => sql`
    select ip_address, user_agent, expires_at, created_at, updated_at, last_used_at
    from auth_sessions where user_id = ${userId} order by created_at`,
  devices: (userId) => sql`
    select address, device, first_seen_at, last_seen_at from known_devices where user_id = ${userId} order by first_seen_at`,
  postingSlots: (userId) => sql`select time_zone, slots, updated_at from posting_slots where user_id = ${userId}`,
  labels: (userId) => sql`select name, colour, created_at from labels where user_id = ${userId} order by name`,
  twoFactor: (userId) => sql`select created_at, confirmed_at from two_factors where user_id = ${userId}`,
  passkeys: (userId) => sql`
    select name, device_type, backed_up as synced, during_membership, created_at, last_used_at
    from auth_passkeys where user_id = ${userId} order by created_at`,
  apiKeys: (userId) => sql`
    select id, kind, name, key_prefix, scopes, allowed_addresses, application, for_mcp, during_membership, widened_at,
      expires_at, created_at, last_used_at, revoked_at
    from api_keys where user_id = ${userId} order by created_at, id`,
  // Without their text, which is erased once they are sent. The address of a user without a password may be a stranger's.
  mails: (userId) => sql`
    select kind, recipient, mails.created_at, sent_at, attempts, error
    from mails join users on users.email = recipient where users.id = ${userId} and ${hasPassword}
    order by mails.created_at, mails.id`,
  // Each of them has a separate export.
  managedUsers: (userId) => sql`
    select id, email, name, is_active, created_at from users where parent_user_id = ${userId} order by created_at`,
  // The link that a client of this user connects accounts with, without its token.
  connectionLinks: (userId) => sql`select expires_at, created_at from connection_links where user_id = ${userId}`,
  connections: (userId) => sql`
    select ${platformId}, platform, account_id, handle, display_name, avatar_url, profile_url, traits, scopes, expires_at,
      refresh_expires_at, reconnect_required_at, account_restricted, last_success_at, last_error, created_at, updated_at
    from connections where user_id = ${userId} order by created_at, id`,
  usage: (userId) => sql`
    select period, connection as platform_id, used from usage_counters where owner_id = ${userId}
    order by period, connection`,
  webhooks: (userId) => sql`
    select id, name, url, events, is_active, failure_count, during_membership, last_triggered_at, created_at, updated_at
    from webhooks where user_id = ${userId} order by created_at, id`,
  auditLog: (userId, reader) => sql`
    select id, at, event, actor_kind, actor_id, address,
      ${reader === 'user' ? sql`details` : sql`case when event = 'held' then details - 'reason' else details end as details`}
    from audit_log where user_id = ${userId} order by id`,
  requests: (userId) => sql`
    select id, at, method, path, status, code, duration_ms, key_prefix, client, request_id, acted_for as user_id,
      request_headers, response_headers, error, hint, waited_ms
    from request_log where user_id = ${userId} order by id`,
  mediaLibrary: (userId) => sql`
    select ${mediaColumns} from media where user_id = ${userId} and post_group_id is null order by created_at, id`,
  composerDrafts: (userId) => sql`
    select id, version, draft, updated_at from composer_drafts where user_id = ${userId} order by updated_at, id`,
  webhookDeliveries: (userId) => sql`
    select id, webhook_id, event, post_group_id, body, status, created_at, ended_at, coalesce((
        select json_agg(json_build_object('at', at, 'durationMs', duration_ms, 'status', attempt.status, 'error', error,
          'answer', answer) order by at)
        from webhook_attempts attempt where delivery_id = delivery.id
      ), '[]') as attempts
    from webhook_deliveries delivery
    where webhook_id in (select id from webhooks where user_id = ${userId}) order by created_at, id`,
};

export async function exportedUser(tx: Db, userId: string, reader: Reader): Promise<object> {
  const [user] = await rowsOf<object>(
    tx,
    sql`
      select id, email, email_verified, name, image, parent_user_id, plan, plan_is_default, connection_quantity,
        workspace_enabled, workspace_denied, brand_colour, api_access, mcp_access, role, is_active, held_at, hold_expires_at,
        ${reader === 'user' ? sql`hold_reason,` : sql``} deletion_at, time_zone,
        week_start, hour_cycle, language, welcome_done_at, dismissed_failures, created_at, updated_at
      from users where id = ${userId}`,
  );
  return user!;
}

export const exportedParts = (
  tx: Db,
  userId: string,
  reader: Reader,
): [name: string, batches: AsyncIterable<object[]>][] =>
  Object.entries(parts).map(([name, query]) => [name, exported(tx, name, query(userId, reader))]);

const contentBytes = sql`octet_length(content)`;

/** Oldest first. */
export const exportedGroups = (tx: Db, userId: string) =>
  exported<{ id: string }>(
    tx,
    'postGroups',
    sql`
      select id, content, status, scheduled_at, publish_now, platform_settings, first_comments, media_ids, labels, created_at,
        updated_at
      from post_groups where user_id = ${userId} order by created_at, id`,
    contentBytes,
  );

export interface PartOfGroup {
  postGroupId: string;
}

/** In the order of the groups. */
const groupsOf = (userId: string, part: RawBuilder<unknown>) => sql`
  (select id as group_id, created_at as group_created_at from post_groups where user_id = ${userId}) post_group
  join ${part} on post_group_id = group_id`;

/** Parts of post groups, by their name in the export. */
const groupParts: Record<string, { query(userId: string): RawBuilder<PartOfGroup>; bytes?: typeof contentBytes }> = {
  platformPosts: {
    query: (userId) => sql`
      select post_group_id, id, ${platformId}, content, content_overridden, thread_parts, media_ids, status, posted_id, permalink, error,
        first_comment_results, attempts, published_at, created_at, updated_at
      from ${groupsOf(userId, sql`platform_posts`)} order by group_created_at, group_id, position`,
    bytes: contentBytes,
  },
  media: {
    query: (userId) => sql`
      select post_group_id, ${mediaColumns}
      from ${groupsOf(userId, sql`media`)} order by group_created_at, group_id, created_at, id`,
  },
  logs: {
    query: (userId) => sql`
      select post_group_id, id, platform_post_id, platform, event, error, http_status, retry_count, metadata, created_at
      from ${groupsOf(userId, sql`post_logs`)} order by group_created_at, group_id, created_at, id`,
  },
};

export const exportedGroupParts = (tx: Db, userId: string): [name: string, batches: AsyncIterator<PartOfGroup[]>][] =>
  Object.entries(groupParts).map(([name, { query, bytes }]) => [name, exported(tx, name, query(userId), bytes)]);

const exported = <Row>(tx: Db, name: string, query: RawBuilder<Row>, bytes?: RawBuilder<unknown>) =>
  rowBatches(tx.withPlugin(camelCase), name, query, bytes);

async function rowsOf<Row>(tx: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(tx.withPlugin(camelCase))).rows;
}
