import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface Dispatched {
  dispatched: number;
  broken: BrokenGroup[];
}
export interface BrokenGroup {
  id: string;
  version: number;
  /** The file that cannot be published, and why, if that is what is wrong. */
  mediaId: string | null;
  mediaCode: string | null;
}

/**
 * Hands due groups to the publishers: targets become `pending` and join the lanes of their connections. Gives back how
 * many, and those that cannot go out as they are: a connection is gone, the targets do not fit the group, a file is not good.
 */
export async function dispatchDue(db: Db, now: Date, limit: number): Promise<Dispatched> {
  const { rows } = await sql<Dispatched>`
    with seen as materialized (
      select post_groups.id, version, targets.misfit, unpublishable.*
      from post_groups
      cross join lateral (
        -- Not in a where: an index of all that is scheduled, in the whole database, must not seem useful.
        select count(*) = 0 or count(*) <> target_count
          or bool_or(status <> 'scheduled' or connection_id is null) as misfit
        from platform_posts where post_group_id = post_groups.id
      ) targets
      left join lateral (
        select listed.id as media_id, case
            when media.id is null then 'MEDIA_REFERENCE_MISSING'
            when media.status = 'uploading' then 'MEDIA_NOT_READY'
            when failure_code = 'MEDIA_UPLOAD_MISSING' then failure_code
            else 'MEDIA_VALIDATION_FAILED'
          end as media_code
        from unnest(media_ids) as listed (id) left join media on media.id = listed.id
        where media.status is distinct from 'ready' limit 1
      ) unpublishable on true
      where post_groups.status = 'scheduled' and processing_status = 'pending' and scheduled_at <= ${now}
      order by scheduled_at limit ${limit}
    ),
    -- One that is edited in this very moment waits for the next look: this statement would not see its new targets.
    due as (
      select post_groups.id from post_groups join seen on seen.id = post_groups.id and seen.version = post_groups.version
      where processing_status = 'pending' and not misfit and media_id is null
      for update of post_groups skip locked
    ),
    taken as (
      update post_groups set processing_status = 'processing', updated_at = ${now}
      from due where post_groups.id = due.id
      returning post_groups.id, post_groups.scheduled_at
    ),
    pending as (
      update platform_posts set status = 'pending', run_at = taken.scheduled_at, updated_at = ${now}
      from taken where platform_posts.post_group_id = taken.id
      returning platform_posts.connection_id, platform_posts.user_id, platform_posts.platform, platform_posts.run_at
    ),
    joined as (
      insert into publish_lanes (connection_id, user_id, platform, run_at, turn_at, ready_at)
      select connection_id, user_id, platform, lane.run_at, lane.run_at + ${turnSpacing} * (place + coalesce(due, 0)), ${now}
      from (
        select connection_id, user_id, platform, min(run_at) as run_at,
          row_number() over (partition by user_id, platform order by min(run_at)) - 1 as place
        from pending where connection_id is not null group by connection_id, user_id, platform
      ) lane
      left join (
        select user_id, platform, count(*) as due from publish_lanes
        where run_at <= ${now} and user_id in (select user_id from pending) group by user_id, platform
      ) queue using (user_id, platform)
      -- All dispatchers in one order, so that none waits for another that waits for it.
      order by connection_id
      on conflict (connection_id) do update
        set run_at = least(publish_lanes.run_at, excluded.run_at), version = publish_lanes.version + 1,
          turn_at = case when publish_lanes.run_at <= ${now} then publish_lanes.turn_at else excluded.turn_at end,
          ready_at = case when publish_lanes.run_at <= ${now} then publish_lanes.ready_at else excluded.ready_at end
    )
    select count(*)::int as dispatched, coalesce((
      select json_agg(json_build_object('id', id, 'version', version, 'mediaId', media_id, 'mediaCode', media_code))
      from seen where misfit or media_id is not null
    ), '[]') as broken
    from taken`.execute(db);
  return rows[0]!;
}

export const wakePublishers = (db: Db) => sql`select pg_notify('lane_ready', '')`.execute(db);

export async function nextDueTime(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(scheduled_at) as next from post_groups where status = 'scheduled' and processing_status = 'pending'`.execute(
    db,
  );
  return rows[0]!.next;
}

/** By how much a lane is put back for each of the same user's on the same network that is due already. */
const turnSpacing = sql`interval '1 second'`;

export interface Lane {
  connectionId: string;
  platform: string;
}

/** Which of the workers alive this is: each has the first go at a part of the lanes. */
export interface Share {
  rank: number;
  of: number;
}
const allLanes: Share = { rank: 0, of: 1 };

const isOurs = ({ rank, of }: Share) => sql`abs(hashtext(connection_id)::bigint) % ${of}::integer = ${rank}::integer`;
/** Then whoever has room takes a lane that another leaves waiting. */
const headStart = sql`interval '1 second'`;

/** Takes waiting lanes for this worker, on each network as many as it has places for, in the order of their turns. */
export async function claimLanes(
  db: Db,
  worker: string,
  now: Date,
  places: Readonly<Record<string, number>>,
  share = allLanes,
): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    update publish_lanes set worker = ${worker}
    where connection_id in (
      select next.connection_id
      from unnest(${Object.keys(places)}::text[], ${Object.values(places)}::integer[]) as place (platform, free),
      lateral (
        select connection_id from publish_lanes
        where publish_lanes.platform = place.platform and worker is null and run_at <= ${now}
          and (${isOurs(share)} or ready_at <= ${now}::timestamptz - ${headStart})
        order by turn_at limit place.free for update skip locked
      ) next
    )
    returning connection_id as "connectionId", platform`.execute(db);
  return rows;
}

/** How many lanes wait on each of these networks whose turn has come; no more than `limit` are counted. */
export async function countTurns(db: Db, platforms: readonly string[], now: Date, limit: number) {
  const { rows } = await sql<{ platform: string; waiting: number }>`
    select crowded.platform, (
      select count(*)::int from (
        select from publish_lanes
        where publish_lanes.platform = crowded.platform and worker is null and turn_at <= ${now} and run_at <= ${now}
        limit ${limit}
      ) turn
    ) as waiting
    from unnest(${platforms}::text[]) as crowded (platform)`.execute(db);
  return rows;
}

/**
 * Leaves a lane until its next post wants to run. A post that joins in this very moment is not seen by the inner query,
 * but raises the version: then the lane stays due.
 */
export const leaveLane = (db: Db, worker: string, connectionId: string, now: Date) =>
  sql`
    with seen as materialized (
      select version, user_id, platform, (
        select greatest(min(run_at), max(connections.cool_down_until))
        from platform_posts join connections on connections.id = platform_posts.connection_id
        where connection_id = ${connectionId} and run_at is not null
      ) as next
      from publish_lanes where connection_id = ${connectionId}
    ),
    queue as (
      select ${now}::timestamptz + ${turnSpacing} * count(*) as tail
      from publish_lanes join seen using (user_id, platform) where run_at <= ${now}
    )
    update publish_lanes set worker = null, (run_at, turn_at, ready_at) = (
      select next, case when next <= ${now} then tail else next end, greatest(next, ${now}::timestamptz)
      from (select case when publish_lanes.version = seen.version then seen.next else ${now}::timestamptz end as next) run
    )
    from seen, queue where connection_id = ${connectionId} and worker = ${worker}`.execute(db);

/** When a lane on one of these networks wants to run that does not yet: one of ours, or one that another leaves waiting. */
export async function nextLaneTime(db: Db, platforms: readonly string[], share: Share): Promise<Date | null> {
  const first = (at: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`
    (select ${at} as next from publish_lanes
    where publish_lanes.platform = wanted.platform and worker is null and run_at is not null and ${which}
    order by turn_at limit 1)`;
  const ours = isOurs(share);
  const { rows } = await sql<{ next: Date | null }>`
    select min(lane.next) as next from unnest(${platforms}::text[]) as wanted (platform), lateral (
      ${first(sql`greatest(turn_at, run_at)`, ours)} union all
      ${first(sql`greatest(ready_at, run_at) + ${headStart}`, sql`not ${ours}`)}
    ) lane`.execute(db);
  return rows[0]!.next;
}

/**
 * A sign of life, by the database's clock, and what follows from others' silence: the lanes of workers not seen for a
 * while are free again. So are strays, which the database says are ours and we do not run, because an answer got lost; but
 * only those of the beat before: the answer with a lane just taken may still be on its way.
 */
export async function beat(
  db: Db,
  worker: { id: string; lanes: string[]; strays?: string[]; dispatchedAt: Date | null },
  silentSeconds: number,
): Promise<{ freed: number; strays: string[]; share: Share }> {
  const { strays = [] } = worker;
  const { rows } = await sql<{ freed: number; strays: string[] } & Share>`
    with alive as (
      insert into workers (id, dispatched_at) values (${worker.id}, ${worker.dispatchedAt})
      on conflict (id) do update set seen_at = now(), dispatched_at = excluded.dispatched_at
    ),
    -- Only who has been heard himself all the while can tell that others are silent, not the database.
    dead as (
      delete from workers where id <> ${worker.id} and seen_at < now() - make_interval(secs => ${silentSeconds})
        and exists (
          select from workers as us where us.id = ${worker.id} and us.seen_at > now() - make_interval(secs => ${silentSeconds})
        )
      returning id
    ),
    freed as (
      update publish_lanes set worker = null
      where worker = ${worker.id} and connection_id = any (${strays}::text[]) and connection_id <> all (${worker.lanes}::text[])
        or worker in (select id from dead)
        or worker is not null and worker <> ${worker.id} and worker not in (select id from workers)
      returning 1
    )
    select (select count(*)::int from freed) as freed,
      array(select connection_id from publish_lanes
        where worker = ${worker.id} and connection_id <> all (${worker.lanes}::text[])) as strays,
      count(*)::int + 1 as of, (count(*) filter (where id < ${worker.id}))::int as rank
    from workers where id <> ${worker.id} and id not in (select id from dead)`.execute(db);
  const { freed, strays: found, ...share } = rows[0]!;
  return { freed, strays: found, share };
}

/** The worker leaves: its lanes are free at once, not only when its silence is noticed. */
export const leave = (db: Db, worker: string) =>
  sql`
    with gone as (delete from workers where id = ${worker})
    update publish_lanes set worker = null where worker = ${worker}`.execute(db);
