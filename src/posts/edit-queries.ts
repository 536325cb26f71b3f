import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import type { StoredGroup } from './read-queries.ts';
import type { Reservation } from './under-plan.ts';
import { counterOf } from './under-plan.ts';
import { type NewTarget, release, reserve } from './write-queries.ts';

/** A group as an edit finds it, with the version that the edit is based on. */
export interface EditableGroup {
  id: string;
  user_id: string;
  status: StoredGroup['status'];
  processing_status: 'pending' | 'processing' | 'finished';
  content: string;
  scheduled_at: Date | null;
  publish_now: boolean;
  platform_settings: Record<string, Json>;
  first_comments: StoredGroup['first_comments'];
  version: number;
  posts: {
    id: string;
    connection_id: string | null;
    platform: string;
    account_id: string;
    content: string;
    content_overridden: boolean;
    status: StoredGroup['posts'][number]['status'];
  }[];
}

export async function findEditable(db: Db, userId: string, id: string): Promise<EditableGroup | null> {
  const { rows } = await sql<EditableGroup>`
    select id, user_id, status, processing_status, content, scheduled_at, publish_now, platform_settings, first_comments,
      version, coalesce((
        select json_agg(post order by position) from (
          select id, connection_id, platform, account_id, content, content_overridden, status, position
          from platform_posts where post_group_id = post_groups.id
        ) post
      ), '[]') as posts
    from post_groups where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export interface GroupChange {
  id: string;
  userId: string;
  version: number;
  content: string;
  status: 'draft' | 'scheduled';
  scheduledAt: Date | null;
  publishNow: boolean;
  settings: Json;
  firstComments: Json;
  targetCount: number;
  now: Date;
}

/** Compare and swap: false if anybody changed the group, or began to publish it, since it was read. */
export async function changeGroup(tx: Db, change: GroupChange): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update post_groups set content = ${change.content}, status = ${change.status}, scheduled_at = ${change.scheduledAt},
      publish_now = ${change.publishNow}, platform_settings = ${JSON.stringify(change.settings)}::jsonb,
      first_comments = ${JSON.stringify(change.firstComments)}::jsonb, target_count = ${change.targetCount},
      open_targets = ${change.targetCount}, version = version + 1, updated_at = ${change.now}
    where id = ${change.id} and user_id = ${change.userId} and version = ${change.version}
      and processing_status = 'pending'`.execute(tx);
  return numAffectedRows === 1n;
}

export interface TargetChange extends Omit<NewTarget, 'connectionId'> {
  connectionId: string | null;
  contentOverridden: boolean;
}

/** The group has these targets from now on, and no other. Reservations are given back, and taken anew where wanted. */
export async function changeTargets(
  tx: Db,
  group: { id: string; userId: string; status: 'draft' | 'scheduled'; now: Date },
  targets: readonly TargetChange[],
  reservation: Reservation | null,
) {
  await release(sql`select * from platform_posts where post_group_id = ${group.id}`).execute(tx);
  await sql`delete from platform_posts where post_group_id = ${group.id} and id <> all (${targets.map(({ id }) => id)}::text[])`.execute(
    tx,
  );
  const counters = targets.map(
    ({ platform, accountId }) => reservation && counterOf(reservation, `${platform}-${accountId}`),
  );
  await sql`
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content,
      content_overridden, thread_parts, status, reserved_owner_id, reserved_period, reserved_connection, created_at, updated_at)
    select id, ${group.id}, ${group.userId}, connection_id, platform, account_id, position, content, content_overridden,
      thread_parts, ${group.status}, ${reservation?.ownerId ?? null}, ${reservation?.period.key ?? null},
      reserved_connection, ${group.now}, ${group.now}
    from unnest(
      ${targets.map(({ id }) => id)}::text[],
      ${targets.map(({ connectionId }) => connectionId)}::text[],
      ${targets.map(({ platform }) => platform)}::text[],
      ${targets.map(({ accountId }) => accountId)}::text[],
      ${targets.map(({ content }) => content)}::text[],
      ${targets.map(({ contentOverridden }) => contentOverridden)}::boolean[],
      ${targets.map(({ threadParts }) => JSON.stringify(threadParts))}::jsonb[],
      ${counters}::text[]
    ) with ordinality as target
      (id, connection_id, platform, account_id, content, content_overridden, thread_parts, reserved_connection, position)
    on conflict (id) do update set position = excluded.position, content = excluded.content,
      thread_parts = excluded.thread_parts, status = excluded.status, reserved_owner_id = excluded.reserved_owner_id,
      reserved_period = excluded.reserved_period, reserved_connection = excluded.reserved_connection,
      updated_at = excluded.updated_at`.execute(tx);
  if (!reservation) return;
  await sql`
    with reserved as (${reserve(reservation)} returning 1)
    select case when (select count(*) from reserved) < ${reservation.counters.length} then refuse('POST_LIMIT_REACHED') end`.execute(
    tx,
  );
}
