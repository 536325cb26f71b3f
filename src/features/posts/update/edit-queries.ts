import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { unsharedOf } from '../../files/files.ts';
import type { OwnFiles } from '../../files/files-of-target.ts';
import type { StoredGroup } from '../read-queries.ts';
import { type NewTarget, targetRows } from '../target-queries.ts';

/** A group as read for an edit, with the version that the edit is based on. */
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
  media_ids: string[];
  /** Those of its files that are not shared. */
  unshared_ids: string[];
  labels: string[];
  version: number;
  posts: {
    id: string;
    connection_id: string | null;
    platform: string;
    account_id: string;
    /** The target's own text. Null if it uses the group's. */
    own_content: string | null;
    media_ids: OwnFiles;
    status: StoredGroup['posts'][number]['status'];
    reserved: Reserved | null;
  }[];
}

/** The counter in which a target is counted. */
export interface Reserved {
  ownerId: string;
  period: string;
  connection: string;
}

/** A group with its texts, or `long` if they have more bytes than `maxBytes`. */
export function findEditable(db: Db, userId: string, id: string): Promise<EditableGroup | null>;
export function findEditable(
  db: Db,
  userId: string,
  id: string,
  maxBytes: number,
): Promise<EditableGroup | 'long' | null>;
export async function findEditable(
  db: Db,
  userId: string,
  id: string,
  maxBytes: number | null = null,
): Promise<EditableGroup | 'long' | null> {
  const { rows } = await sql<EditableGroup & { isLong: boolean }>`
    select id, user_id, status, processing_status, scheduled_at, publish_now, platform_settings, first_comments,
      media_ids, ${unsharedOf(sql`post_groups.id`)} as unshared_ids, labels, version, size.is_long as "isLong", case when not size.is_long then content end as content,
      case when not size.is_long then coalesce((
        select json_agg(post order by position) from (
          select id, connection_id, platform, account_id, status, media_ids, position,
            case when content_overridden then content end as own_content,
            case when reserved_period is not null then json_build_object('ownerId', reserved_owner_id,
              'period', reserved_period, 'connection', platform || '-' || account_id) end as reserved
          from platform_posts where post_group_id = post_groups.id
        ) post
      ), '[]') end as posts
    from post_groups cross join lateral (
      -- The size of a stored text is known without reading it.
      select octet_length(post_groups.content) + coalesce(sum(octet_length(content)), 0) > ${maxBytes} is true as is_long
      from platform_posts where post_group_id = post_groups.id and content_overridden
    ) size
    where id = ${id} and user_id = ${userId}`.execute(db);
  const [group] = rows;
  if (!group) return null;
  const { isLong, ...found } = group;
  return isLong ? 'long' : found;
}

/** In all texts of the group. */
export const charactersIn = (group: EditableGroup | null) =>
  group ? group.posts.reduce((sum, { own_content }) => sum + (own_content?.length ?? 0), group.content.length) : 0;

/** Without the texts, which can have megabytes. */
export async function findOutline(
  db: Db,
  userId: string,
  id: string,
): Promise<Pick<EditableGroup, 'processing_status' | 'scheduled_at' | 'media_ids'> | null> {
  const found = await db
    .selectFrom('post_groups')
    .select(['processing_status', 'scheduled_at', 'media_ids'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found ?? null;
}

/** Locks a scheduled group that is not being published until the transaction ends. */
export async function lockScheduled(
  tx: Db,
  id: string,
  version: number | null,
): Promise<{ userId: string; reserved: Reserved[] } | null> {
  const { rows: locked } = await sql<{ userId: string }>`
    select user_id as "userId" from post_groups where id = ${id} and status = 'scheduled' and processing_status = 'pending'
      and version = coalesce(${version}, version)
    for update`.execute(tx);
  if (!locked[0]) return null;
  // Read after taking the lock, so the change of a concurrent edit is visible.
  const { rows: reserved } = await sql<Reserved>`
    select reserved_owner_id as "ownerId", reserved_period as period, platform || '-' || account_id as connection
    from platform_posts where post_group_id = ${id} and reserved_period is not null`.execute(tx);
  return { userId: locked[0].userId, reserved };
}

/** Scheduled groups with a target in the sandbox that are not being published. */
export async function selectScheduledInSandbox(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from post_groups where status = 'scheduled' and processing_status = 'pending' and exists (
      select from platform_posts join connections on connections.id = connection_id
      where post_group_id = post_groups.id and sandbox
    )`.execute(db);
  return rows.map(({ id }) => id);
}

export async function setDraft(tx: Db, id: string, now: Date) {
  await sql`
    update post_groups set status = 'draft', publish_now = false, version = version + 1, updated_at = ${now}
    where id = ${id}`.execute(tx);
  await sql`
    update platform_posts set status = 'draft', reserved_owner_id = null, reserved_period = null, updated_at = ${now}
    where post_group_id = ${id} and status = 'scheduled'`.execute(tx);
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
  mediaIds: readonly string[];
  labels: readonly string[];
  platforms: readonly string[];
  targetCount: number;
  now: Date;
}

/** Compare and swap: returns false if the group was changed or started publishing since it was read. */
export async function changeGroup(tx: Db, change: GroupChange): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update post_groups set content = ${change.content}, status = ${change.status}, scheduled_at = ${change.scheduledAt},
      publish_now = ${change.publishNow}, platform_settings = ${JSON.stringify(change.settings)}::jsonb,
      first_comments = ${JSON.stringify(change.firstComments)}::jsonb, media_ids = ${change.mediaIds}::text[],
      labels = ${change.labels}::text[], platforms = ${change.platforms}::text[], target_count = ${change.targetCount},
      open_targets = ${change.targetCount}, version = version + 1, updated_at = ${change.now}
    where id = ${change.id} and user_id = ${change.userId} and version = ${change.version}
      and processing_status = 'pending'`.execute(tx);
  return numAffectedRows === 1n;
}

/** Works in any status. Returns false if the group is gone. */
export async function setLabels(
  tx: Db,
  { id, user_id }: Pick<EditableGroup, 'id' | 'user_id'>,
  labels: readonly string[],
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update post_groups set labels = ${labels}::text[], updated_at = ${now}
    where id = ${id} and user_id = ${user_id}`.execute(tx);
  return numAffectedRows === 1n;
}

export interface TargetChange extends NewTarget {
  reserved: Reserved | null;
}

export async function changeTargets(
  tx: Db,
  group: { id: string; userId: string; status: 'draft' | 'scheduled'; now: Date },
  targets: readonly TargetChange[],
) {
  await sql`delete from platform_posts where post_group_id = ${group.id} and id <> all (${targets.map(({ id }) => id)}::text[])`.execute(
    tx,
  );
  await sql`
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content,
      content_overridden, thread_parts, media_ids, status, reserved_owner_id, reserved_period, created_at, updated_at)
    select id, ${group.id}, ${group.userId}, connection_id, platform, account_id, position, content, content_overridden,
      thread_parts, media_ids, ${group.status}, reserved_owner_id, reserved_period, ${group.now}, ${group.now}
    from (${targetRows(targets)}) target
    join unnest(
      ${targets.map(({ reserved }) => reserved?.ownerId ?? null)}::text[],
      ${targets.map(({ reserved }) => reserved?.period ?? null)}::text[]
    ) with ordinality as counted (reserved_owner_id, reserved_period, position) using (position)
    on conflict (id) do update set connection_id = excluded.connection_id, position = excluded.position,
      content = excluded.content, content_overridden = excluded.content_overridden, thread_parts = excluded.thread_parts,
      media_ids = excluded.media_ids, status = excluded.status, reserved_owner_id = excluded.reserved_owner_id, reserved_period = excluded.reserved_period,
      updated_at = excluded.updated_at`.execute(tx);
}

/**
 * Releases the old reservations and adds the new ones. All counters are locked in the same order, so two edits cannot
 * deadlock. Exceeding a limit rolls back the edit.
 */
export async function changeCounters(
  tx: Db,
  before: readonly (Reserved | null)[],
  after: readonly (Reserved | null)[],
  limit = 2_147_483_647,
) {
  const changes = differences(before, after);
  if (changes.length === 0) return;
  await sql`
    with change as (
      select * from unnest(
        ${changes.map(({ ownerId }) => ownerId)}::text[], ${changes.map(({ period }) => period)}::text[],
        ${changes.map(({ connection }) => connection)}::text[], ${changes.map(({ amount }) => amount)}::integer[]
      ) with ordinality as change (owner_id, period, connection, amount, place)
    ),
    changed as (
      insert into usage_counters as counter (owner_id, period, connection, used)
      select owner_id, period, connection, greatest(amount, 0) from change where amount <= ${limit} order by place
      on conflict (owner_id, period, connection) do update
        set used = greatest(0, counter.used + (
          select amount from change
          where change.owner_id = counter.owner_id and change.period = counter.period
            and change.connection = counter.connection
        ))
        where excluded.used = 0 or counter.used + excluded.used <= ${limit}
      returning 1
    )
    select case when (select count(*) from changed) < ${changes.length} then refuse('POST_LIMIT_REACHED') end`.execute(
    tx,
  );
}

function differences(before: readonly (Reserved | null)[], after: readonly (Reserved | null)[]) {
  const byName = new Map<string, Reserved & { amount: number }>();
  const add = (reserved: readonly (Reserved | null)[], amount: number) => {
    for (const counter of reserved) {
      if (!counter) continue;
      const name = `${counter.ownerId} ${counter.period} ${counter.connection}`;
      byName.set(name, { ...counter, amount: (byName.get(name)?.amount ?? 0) + amount });
    }
  };
  add(before, -1);
  add(after, 1);
  return [...byName]
    .filter(([, { amount }]) => amount !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}
