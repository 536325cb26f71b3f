import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import { joinLanes } from './lane-queries.ts';

export interface Dispatched {
  dispatched: number;
  broken: BrokenGroup[];
}
export interface BrokenGroup {
  id: string;
  userId: string;
  version: number;
  /** The media file that prevents publishing and the reason, if that is the cause. */
  mediaId: string | null;
  mediaCode: string | null;
  /** The account will be erased, as its user has asked. */
  isLeaving: boolean;
}

/**
 * Hands due groups to the publishers: their posts become `pending` and join the lanes of their connections. Also
 * returns groups that cannot be published because all connections are gone, the posts do not match the group, a media
 * file is not ready, or the account will be erased, except those with a `known` id. If only some connections are gone, their posts join no
 * lane and fail individually. Groups of closed accounts wait, unless they were due before `endOfWait`.
 */
export async function dispatchDue(
  db: Db,
  now: Date,
  limit: number,
  endOfWait: Date,
  known: readonly string[] = [],
): Promise<Dispatched> {
  const { rows } = await sql<Dispatched>`
    with seen as materialized (
      select post_groups.id, post_groups.user_id, version, targets.misfit, ${isLeaving} as is_leaving, unpublishable.*
      from post_groups
      cross join lateral (
        -- A condition in "where" would make the planner use an index over all scheduled posts of the database.
        select count(*) = 0 or count(*) <> target_count
          or bool_or(status <> 'scheduled') or bool_and(not exists (select from connections where connections.id = connection_id)) as misfit
        from platform_posts where post_group_id = post_groups.id
      ) targets
      left join lateral (
        select listed.id as media_id, case
            when media.id is null then 'MEDIA_REFERENCE_MISSING'
            when media.status = 'uploading' then 'MEDIA_NOT_READY'
            when failure_code = 'MEDIA_UPLOAD_MISSING' then failure_code
            else 'MEDIA_VALIDATION_FAILED'
          end as media_code
        from unnest(post_groups.media_ids) as listed (id) left join media on media.id = listed.id
        where media.status is distinct from 'ready' and exists (
          -- The rule of filesOfTarget. A file that goes to no target prevents nothing.
          select from platform_posts where post_group_id = post_groups.id and case
            when platform_posts.media_ids is null then media.shared is not false
            else listed.id = any (platform_posts.media_ids)
          end
        )
        limit 1
      ) unpublishable on true
      where post_groups.status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}
        and not ${isHeldBack(endOfWait)} and post_groups.id <> all (${known}::text[])
      order by scheduled_at limit ${limit}
    ),
    -- A group that is edited at the same time waits for the next tick: this statement would not see its new posts.
    due as (
      select post_groups.id from post_groups join seen on seen.id = post_groups.id and seen.version = post_groups.version
      where processing_status = 'pending' and not misfit and not is_leaving and media_id is null
      for update of post_groups skip locked
    ),
    dispatched as (
      update post_groups set processing_status = 'processing', updated_at = ${now}
      from due where post_groups.id = due.id
      returning post_groups.id, post_groups.scheduled_at
    ),
    pending as (
      update platform_posts set status = 'pending', run_at = dispatched.scheduled_at, updated_at = ${now}
      from dispatched where platform_posts.post_group_id = dispatched.id
      returning platform_posts.connection_id, platform_posts.user_id, platform_posts.platform, platform_posts.run_at
    ),
    joined as (${joinLanes(now)})
    select count(*)::int as dispatched, coalesce((
      select json_agg(json_build_object('id', id, 'userId', user_id, 'version', version, 'mediaId', media_id,
        'mediaCode', media_code, 'isLeaving', is_leaving))
      from seen where misfit or is_leaving or media_id is not null
    ), '[]') as broken
    from dispatched`.execute(db);
  return rows[0]!;
}

export const wakePublishers = (db: Db) => sql`select pg_notify('lane_ready', '')`.execute(db);

/**
 * Skips groups that are held back; otherwise the dispatcher would never sleep. It checks them every time it wakes up.
 */
export async function nextDueTime(db: Db, now: Date, endOfWait: Date): Promise<Date | null> {
  const waiting = sql`from post_groups where status = 'scheduled' and processing_status = 'pending'`;
  const { rows } = await sql<{ next: Date | null }>`
    select least(
      (select min(scheduled_at) ${waiting} and scheduled_at > ${now}),
      (select min(scheduled_at) ${waiting} and scheduled_at <= ${now} and not ${isHeldBack(endOfWait)})
    ) as next`.execute(db);
  return rows[0]!.next;
}

interface HeldBackGroup {
  groupId: string;
  userId: string;
}

/** Due groups of closed accounts that have no log entry about the wait yet. */
export async function selectNewlyHeldBack(db: Db, now: Date, endOfWait: Date): Promise<HeldBackGroup[]> {
  const { rows } = await sql<HeldBackGroup>`
    select id as "groupId", user_id as "userId" from post_groups
    where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now} and ${isHeldBack(endOfWait)}
      and not exists (
        select from post_logs
        where post_group_id = post_groups.id and event = ${postLogEvents.publishHeld.name}
          and post_logs.created_at >= scheduled_at
      )
    order by scheduled_at limit 1000`.execute(db);
  return rows;
}

export async function insertHeldBackLogs(
  db: Db,
  groups: readonly (HeldBackGroup & { id: string })[],
  reason: string,
  now: Date,
) {
  await sql`
    insert into post_logs (id, post_group_id, user_id, event, error, created_at)
    select id, group_id, user_id, ${postLogEvents.publishHeld.name}, ${reason}, ${now}::timestamptz
    from unnest(${groups.map(({ id }) => id)}::text[], ${groups.map(({ groupId }) => groupId)}::text[],
      ${groups.map(({ userId }) => userId)}::text[]) as held_back (id, group_id, user_id)
    -- A group that was deleted meanwhile has no log.
    where exists (select from post_groups where post_groups.id = group_id)`.execute(db);
}

const isLeaving = sql`post_groups.user_id in (select id from leaving_users() as leaving (id))`;

/** Groups of an account that will be erased do not wait: they return to draft. */
const isHeldBack = (endOfWait: Date) => sql`
  (scheduled_at > ${endOfWait} and post_groups.user_id in (select id from closed_users() as closed (id))
    and not ${isLeaving})`;

/** Whether the account of this user, or of the owner, will be erased. */
export async function selectIsLeaving(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from leaving_users() as leaving (id) where id = ${userId}`.execute(db);
  return rows.length > 0;
}
