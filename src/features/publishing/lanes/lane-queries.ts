import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** How much a lane's turn is delayed for each lane of the same user and platform that is already due. */
export const turnSpacing = sql`interval '1 second'`;

export interface Lane {
  connectionId: string;
  platform: string;
}

/** A lane and the user whose plan counts: the owner of a managed user, otherwise the user. */
export interface OwnedLane extends Lane {
  owner: string;
}

/** The number of lanes an owner runs on a platform. */
export interface Share {
  platform: string;
  owner: string;
  lanes: number;
}

/**
 * The maximum ratio of an owner's running lanes to the lanes that are still free. An owner alone on a platform can
 * use three quarters of the capacity. Even if a few owners have many connections to unresponsive servers, some
 * capacity stays free.
 */
export const runningPerFreeLane = 3;

/** For statements that read lanes: excludes lanes of owners who already run their maximum. */
const isBelowShare = (full: readonly Share[]) => sql`not exists (
  select from unnest(${full.map(({ platform }) => platform)}::text[], ${full.map(({ owner }) => owner)}::text[])
    as full_share (platform, owner)
  where full_share.platform = publish_lanes.platform
    and owner = (select coalesce(parent_user_id, id) from users where id = publish_lanes.user_id)
)`;

/** The owners who cannot start another lane until one of theirs ends. */
export const fullShares = (running: readonly Share[], freeLanes: Readonly<Record<string, number>>) =>
  running.filter(({ platform, lanes }) => lanes + 1 > runningPerFreeLane * (freeLanes[platform] ?? 0));

/** The share of a platform's lanes that a worker claims first. Each live worker that serves the platform has one. */
export interface Partition {
  index: number;
  count: number;
}
export type PartitionOf = (platform: string) => Partition;
const allLanes: PartitionOf = () => ({ index: 0, count: 1 });

/** For statements that read `partitions`. */
const isOwn = sql`abs(hashtext(connection_id)::bigint) % partitions.count = partitions.index`;
const partitions = (platforms: readonly string[], partitionOf: PartitionOf) => {
  const parts = platforms.map(partitionOf);
  return sql`unnest(${platforms}::text[], ${parts.map(({ index }) => index)}::integer[],
    ${parts.map(({ count }) => count)}::integer[]) as partitions (platform, index, count)`;
};
/** After this time, any worker with free capacity claims a lane that its assigned worker has not claimed. */
const headStart = sql`interval '1 second'`;

/**
 * Claims waiting lanes for this worker in order of their turns, up to `freeLanes` per platform. `running` contains
 * the lanes that it already has.
 */
export async function claimLanes(
  db: Db,
  worker: string,
  now: Date,
  freeLanes: Readonly<Record<string, number>>,
  partitionOf = allLanes,
  running: readonly Share[] = [],
): Promise<OwnedLane[]> {
  const platforms = Object.keys(freeLanes);
  const { rows } = await sql<OwnedLane>`
    with next as (
      select capacity.platform, free, next.connection_id, turn_at, (
        select coalesce(parent_user_id, id) from users where id = next.user_id
      ) as owner
      from unnest(${platforms}::text[], ${Object.values(freeLanes)}::integer[]) as capacity (platform, free)
      join ${partitions(platforms, partitionOf)} using (platform),
      lateral (
        select connection_id, user_id, turn_at from publish_lanes
        where publish_lanes.platform = capacity.platform and worker is null and run_at <= ${now}
          and (${isOwn} or ready_at <= ${now}::timestamptz - ${headStart})
          and ${isBelowShare(fullShares(running, freeLanes))}
        order by turn_at limit capacity.free for update skip locked
      ) next
    ),
    turns as (
      select next.*, coalesce(lanes, 0) + row_number() over (partition by platform, owner order by turn_at) as turn
      from next left join unnest(
        ${running.map(({ platform }) => platform)}::text[], ${running.map(({ owner }) => owner)}::text[],
        ${running.map(({ lanes }) => lanes)}::integer[]
      ) as running (platform, owner, lanes) using (platform, owner)
    ),
    places as (
      select turns.*, row_number() over (partition by platform order by turn, turn_at) as place from turns
    )
    update publish_lanes set worker = ${worker} from places
    where publish_lanes.connection_id = places.connection_id and turn <= ${runningPerFreeLane} * (free - (place - 1))
    returning publish_lanes.connection_id as "connectionId", publish_lanes.platform, owner`.execute(db);
  return rows;
}

/** Claims the lane of a connection, whether or not anything is due. Returns false if another worker has it. */
export async function takeLane(db: Db, worker: string, lane: Lane & { userId: string }): Promise<boolean> {
  const { rows } = await sql`
    insert into publish_lanes (connection_id, user_id, platform, worker)
    values (${lane.connectionId}, ${lane.userId}, ${lane.platform}, ${worker})
    on conflict (connection_id) do update set worker = excluded.worker where publish_lanes.worker is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Adds the posts in `pending`, a CTE of the same statement, to the lanes of their connections. */
export const joinLanes = (now: Date) => sql`
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
  -- Lanes are always locked in this order, so that two statements cannot deadlock.
  order by connection_id
  on conflict (connection_id) do update
    set run_at = least(publish_lanes.run_at, excluded.run_at), version = publish_lanes.version + 1,
      turn_at = case when publish_lanes.run_at <= ${now} then publish_lanes.turn_at else excluded.turn_at end,
      ready_at = case when publish_lanes.run_at <= ${now} then publish_lanes.ready_at else excluded.ready_at end`;

/** Counts the lanes of each platform that are waiting although their turn has come, up to `limit`. */
export async function countWaitingLanes(db: Db, platforms: readonly string[], now: Date, limit: number) {
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
 * Releases a lane until its next post is due. The inner query does not see a post that joins concurrently, but that
 * post increments the version, so the lane stays due.
 */
export const releaseLane = (db: Db, worker: string, connectionId: string, now: Date) =>
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

/** When this worker must claim lanes next: its own partition, and lanes that another worker leaves waiting. */
export async function nextLaneTime(
  db: Db,
  platforms: readonly string[],
  partitionOf: PartitionOf,
  full: readonly Share[],
): Promise<Date | null> {
  const first = (at: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`
    (select ${at} as next from publish_lanes
    where publish_lanes.platform = partitions.platform and worker is null and run_at is not null and ${which}
      and ${isBelowShare(full)}
    order by turn_at limit 1)`;
  const { rows } = await sql<{ next: Date | null }>`
    select min(lane.next) as next from ${partitions(platforms, partitionOf)}, lateral (
      ${first(sql`greatest(turn_at, run_at)`, isOwn)} union all
      ${first(sql`greatest(ready_at, run_at) + ${headStart}`, sql`not ${isOwn}`)}
    ) lane`.execute(db);
  return rows[0]!.next;
}
